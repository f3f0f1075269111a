#include "tests/node_suite/jit_network.h"

#include <cstring>

#include "backend/constant_layout.h"
#include "backend/fill_value.h"
#include "backend/program.h"
#include "frontend/lower/compute_constants.h"
#include "frontend/ops/operator.h"
#include "runtime/halo.h"
#include "tests/lower/jit_unit.h"

namespace emulsion::test {

namespace {

constexpr size_t kAlignment = 64;  // of the arena and the weights, as the runtime maps them
constexpr std::byte kPoison = std::byte{0xff};  // makes NaNs

class Memory {
public:
    explicit Memory(int64_t bytes) : memory_(static_cast<size_t>(bytes) + kAlignment, kPoison) {}

    std::byte *data() {
        const auto address = reinterpret_cast<uintptr_t>(memory_.data());
        return memory_.data() + (kAlignment - address % kAlignment) % kAlignment;
    }

private:
    std::vector<std::byte> memory_;
};

class Runner {
public:
    Runner(const Graph &graph, const PlannedNetwork &network, const std::vector<Array> &inputs)
        : network_(network), linked_(place(network)), program_(linked_.program),
          arena_(program_.arena_bytes), weights_(program_.weights_bytes), inputs_(inputs) {
        for (const WeightEntry &entry : linked_.weights) {
            lay_out(entry.tensor, entry.layout, weights_.data() + entry.offset);
        }
        for (const TensorId id : graph.outputs) {
            const Tensor &tensor = graph.tensor(id);
            const std::vector<int64_t> shape = tensor.extents();
            const auto bytes = static_cast<size_t>(checked_bytes(shape, size_of(tensor.type)));
            outputs_.push_back({tensor.type, shape, std::vector<std::byte>(bytes, kPoison)});
        }
    }

    std::vector<Array> run() {
        for (size_t i = 0; i < program_.launches.size(); i++) {
            launch(program_.launches[i], network_.launches[i].unit);
        }
        for (const OutputCopy &copy : program_.copies) {
            std::memcpy(outputs_.at(static_cast<size_t>(copy.output)).bytes.data(),
                        data(view(copy.view)), static_cast<size_t>(copy.bytes));
        }
        return std::move(outputs_);
    }

private:
    const BufferView &view(int index) const {
        return program_.views.at(static_cast<size_t>(index));
    }

    // The element at the minima.
    std::byte *data(const BufferView &view) {
        const auto index = static_cast<size_t>(view.index);
        switch (view.storage) {
        case Storage::Arena: return arena_.data() + view.offset;
        case Storage::Weights: return weights_.data() + view.offset;
        // Units only read their inputs; Halide's buffers are not const.
        case Storage::Input:
            return const_cast<std::byte *>(inputs_.at(index).bytes.data()) + view.offset;
        case Storage::Output: return outputs_.at(index).bytes.data() + view.offset;
        }
        return nullptr;
    }

    Halide::Buffer<> buffer(int index) {
        const BufferView &v = view(index);
        std::vector<halide_dimension_t> dimensions;
        for (const BufferDimension &d : v.dimensions) {
            dimensions.emplace_back(static_cast<int>(d.min), static_cast<int>(d.extent),
                                    static_cast<int>(d.stride));
        }
        return Halide::Buffer<>(halide_type(v.type), data(v), static_cast<int>(dimensions.size()),
                                dimensions.data());
    }

    void fill(const HaloFill &fill) {
        const BufferView &v = view(fill.view);
        std::vector<EmulsionDimension> dimensions;
        std::vector<int64_t> before;
        std::vector<int64_t> after;
        for (size_t d = 0; d < v.dimensions.size(); d++) {
            const BufferDimension &from = v.dimensions[d];
            dimensions.push_back({static_cast<int32_t>(from.min), static_cast<int32_t>(from.extent),
                                  static_cast<int32_t>(from.stride), 0});
            before.push_back(fill.margin.at(d).before);
            after.push_back(fill.margin.at(d).after);
        }
        const runtime::HaloBuffer whole = {reinterpret_cast<char *>(data(v)), size_of(v.type),
                                           static_cast<int>(dimensions.size()), dimensions.data()};
        runtime::fill_halo(whole, before.data(), after.data(), fill_bits(fill.value, v.type));
    }

    void launch(const Launch &launch, const Unit &planned) {
        for (const HaloFill &halo : launch.fills) {
            fill(halo);
        }
        std::vector<Halide::Buffer<>> buffers;
        for (const int index : launch.views) {
            buffers.push_back(buffer(index));
        }
        const Halide::Buffer<> output = buffers.back();
        buffers.pop_back();
        JitUnit unit(planned);
        if (const std::string wrong = unit.run(buffers, output); !wrong.empty()) {
            throw failure(launch.label + ": " + wrong);
        }
    }

    const PlannedNetwork &network_;
    const LinkedNetwork linked_;
    const Program &program_;
    Memory arena_, weights_;
    const std::vector<Array> &inputs_;
    std::vector<Array> outputs_;
};

}  // namespace

std::vector<Array> run_jit(const Graph &graph, PlannedNetwork network,
                           const std::vector<Array> &inputs) {
    compute_constants(network);
    return Runner(graph, network, inputs).run();
}

}  // namespace emulsion::test
