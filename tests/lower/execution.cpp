#include "tests/lower/execution.h"

#include <Halide.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <sstream>

#include "frontend/lower/compute_constants.h"
#include "frontend/lower/evaluate.h"
#include "fusion/error.h"
#include "tests/lower/jit_unit.h"
#include "tests/lower/network_maker.h"

namespace emulsion::test {

namespace {

constexpr size_t kGuard = 256;      // bytes before and after every tensor
constexpr std::byte kPoison{0xff};  // makes NaNs

// Memory of a planned value.
class Allocation {
public:
    Allocation() = default;
    explicit Allocation(size_t bytes) : size_(bytes), memory_(bytes + 2 * kGuard + 64, kPoison) {}

    std::byte *data() {
        auto address = reinterpret_cast<uintptr_t>(memory_.data()) + kGuard;
        return reinterpret_cast<std::byte *>((address + 63) / 64 * 64);
    }
    bool guards_are_whole() {
        const std::byte *first = data();
        for (const std::byte *p = memory_.data(); p != memory_.data() + memory_.size(); p++) {
            if ((p < first || p >= first + size_) && *p != kPoison) {
                return false;
            }
        }
        return true;
    }

private:
    size_t size_ = 0;
    std::vector<std::byte> memory_;
};

struct Placed {
    std::vector<int64_t> extents;
    Layout layout;
    DataType type = DataType::F32;

    // Element offset of logical coordinates.
    int64_t offset(std::vector<int64_t> at) const {
        const auto dimensions = buffer_dimensions(extents, layout);
        if (layout.block_axis >= 0) {
            const auto axis = static_cast<size_t>(layout.block_axis);
            at.push_back(at[axis] % layout.block);
            at[axis] /= layout.block;
        }
        int64_t offset = 0;
        for (size_t i = 0; i < at.size(); i++) {
            offset += (at[i] - dimensions[i].min) * dimensions[i].stride;
        }
        return offset;
    }
};

// Calls visit(coordinates, flat index) for all coordinates in `extents`, row-major.
template<typename Visit>
void for_each(const std::vector<int64_t> &extents, Visit visit) {
    std::vector<int64_t> at(extents.size(), 0);
    const int64_t count = element_count(extents);
    for (int64_t i = 0; i < count; i++) {
        visit(at, static_cast<size_t>(i));
        for (size_t axis = extents.size(); axis-- > 0;) {
            if (++at[axis] < extents[axis]) {
                break;
            }
            at[axis] = 0;
        }
    }
}

Halide::Buffer<> make_buffer(const Placed &placed, std::byte *data, bool interior) {
    std::vector<halide_dimension_t> dims;
    auto dimensions = buffer_dimensions(placed.extents, placed.layout);
    if (interior) {
        data += interior_offset(placed.extents, placed.layout) * size_of(placed.type);
        for (size_t i = 0; i < dimensions.size(); i++) {
            dimensions[i].min = 0;
            dimensions[i].extent = placed.extents.at(i);
        }
    }
    for (const BufferDimension &d : dimensions) {
        dims.emplace_back(static_cast<int>(d.min), static_cast<int>(d.extent),
                          static_cast<int>(d.stride));
    }
    return Halide::Buffer<>(halide_type(placed.type), data, static_cast<int>(dims.size()),
                            dims.data());
}

class Runner {
public:
    Runner(const PlannedNetwork &network, const TensorValues &inputs, const TensorValues &reference,
           CompiledUnits &compiled)
        : graph_(network.graph), network_(network), inputs_(inputs), reference_(reference),
          compiled_(compiled), allocations_(network.plan.values.size()) {}

    std::string run() {
        for (size_t v = 0; v < network_.plan.values.size(); v++) {
            place(v);
        }
        for (const PlannedLaunch &launch : network_.launches) {
            if (const std::string wrong = run(launch); !wrong.empty()) {
                return launch.label + ": " + wrong;
            }
        }
        for (size_t v = 0; v < network_.plan.values.size(); v++) {
            if (const std::string wrong = compare(v); !wrong.empty()) {
                return wrong;
            }
        }
        return outputs();
    }

private:
    size_t owner(size_t v) const {
        return static_cast<size_t>(network_.plan.owner(static_cast<int>(v)));
    }
    TensorId tensor_of(size_t v) const { return network_.value_tensor.at(v); }
    Placed placed(size_t v) const {
        const Tensor &tensor = graph_.tensor(tensor_of(v));
        return {tensor.extents(), network_.plan.values[v].layout, tensor.type};
    }
    std::byte *data(size_t v) {
        const int64_t start = network_.plan.start(
            static_cast<int>(v), [&](int i) { return placed(static_cast<size_t>(i)).extents; });
        return allocations_[owner(v)].data() + start * size_of(placed(v).type);
    }

    void place(size_t v) {
        if (owner(v) != v) {
            return;
        }
        const Placed p = placed(v);
        const auto size = static_cast<size_t>(size_of(p.type));
        const auto elements = static_cast<size_t>(allocated_elements(p.extents, p.layout));
        allocations_[v] = Allocation(elements * size);
        if (p.layout.has_halo() || p.layout.block_axis >= 0) {
            const double lowest = p.type == DataType::F32 ? std::numeric_limits<float>::lowest()
                                                          : std::numeric_limits<double>::lowest();
            const double fill = std::isinf(p.layout.fill) ? lowest : p.layout.fill;
            const auto bytes = to_bytes(std::vector<double>(elements, fill), p.type);
            std::memcpy(data(v), bytes.data(), bytes.size());
        }
        const auto id = static_cast<size_t>(tensor_of(v));
        const Tensor &tensor = graph_.tensors[id];
        std::vector<std::byte> bytes;
        if (tensor.constant) {
            bytes.assign(tensor.constant->bytes, tensor.constant->bytes + tensor.constant->size);
        } else if (!in(inputs_, id).empty() && first_of(v)) {
            bytes = to_bytes(in(inputs_, id), tensor.type);
        } else {
            bytes.assign(static_cast<size_t>(tensor.element_count()) * size, kPoison);
        }
        for_each(p.extents, [&](const std::vector<int64_t> &at, size_t i) {
            std::memcpy(data(v) + static_cast<size_t>(p.offset(at)) * size, bytes.data() + i * size,
                        size);
        });
    }

    // Values of a tensor of the model; those between the operators of an implementation have none.
    static const std::vector<double> &in(const TensorValues &values, size_t id) {
        static const std::vector<double> none;
        return id < values.size() ? values[id] : none;
    }

    // The first planned value of an input is the caller's; others have to be made by launches.
    bool first_of(size_t v) const {
        for (size_t i = 0; i < v; i++) {
            if (network_.value_tensor[i] == network_.value_tensor[v]) {
                return false;
            }
        }
        return true;
    }

    std::string run(const PlannedLaunch &launch) {
        try {
            const auto known = compiled_.try_emplace(to_json(launch.unit), launch.unit).first;
            JitUnit &unit = known->second;
            std::vector<Halide::Buffer<>> inputs;
            for (const int input : launch.inputs) {
                const auto v = static_cast<size_t>(input);
                inputs.push_back(make_buffer(placed(v), data(v), false));
            }
            const auto out = static_cast<size_t>(launch.output);
            return unit.run(inputs, make_buffer(placed(out), data(out), true));
        } catch (const Halide::Error &e) {
            return e.what();
        } catch (const Error &e) {
            return e.what();
        }
    }

    // Whether it is read or written by a launch, or an output.
    bool is_used(size_t v) const {
        const auto touches = [&](const PlannedLaunch &launch) {
            return launch.output == static_cast<int>(v) ||
                   std::count(launch.inputs.begin(), launch.inputs.end(), static_cast<int>(v)) != 0;
        };
        return graph_.is_output(tensor_of(v)) ||
               std::any_of(network_.launches.begin(), network_.launches.end(), touches);
    }

    std::string compare(size_t v) {
        const auto id = static_cast<size_t>(tensor_of(v));
        if (!allocations_[owner(v)].guards_are_whole()) {
            return "something was written outside of '" + graph_.tensors[id].name + "'";
        }
        // A value that a group computes for itself may have memory, of which a view of it takes a part.
        if (graph_.tensors[id].is_constant() || !is_used(v)) {
            return "";
        }
        const Placed p = placed(v);
        const auto size = static_cast<size_t>(size_of(p.type));
        std::vector<std::byte> bytes(static_cast<size_t>(element_count(p.extents)) * size);
        std::vector<bool> inside(
            owner(v) == v ? static_cast<size_t>(allocated_elements(p.extents, p.layout)) : 0);
        for_each(p.extents, [&](const std::vector<int64_t> &at, size_t i) {
            const auto offset = static_cast<size_t>(p.offset(at));
            if (owner(v) == v) {
                inside[offset] = true;
            }
            std::memcpy(bytes.data() + i * size, data(v) + offset * size, size);
        });
        const std::vector<double> &expected = in(reference_, id);
        const std::vector<double> actual = to_doubles(make_constant(bytes), p.type);
        for (size_t i = 0; i < expected.size(); i++) {
            const double error = std::abs(actual[i] - expected[i]);
            const double bound = is_float(p.type) ? 1e-4 + 1e-3 * std::abs(expected[i]) : 0.0;
            if (!(error <= bound)) {
                std::ostringstream message;
                message << "tensor '" << graph_.tensors[id].name << "', element " << i << " of "
                        << expected.size() << ": " << actual[i] << " instead of " << expected[i];
                return message.str();
            }
        }
        return halo_is_whole(v, inside)
                   ? ""
                   : "the halo of '" + graph_.tensors[id].name + "' was written";
    }

    bool halo_is_whole(size_t v, const std::vector<bool> &inside) {
        const Placed p = placed(v);
        if (!p.layout.has_halo() || owner(v) != v) {
            return true;
        }
        const auto size = static_cast<size_t>(size_of(p.type));
        const std::byte *first = nullptr;  // some element of the halo: all are equal
        for (size_t i = 0; i < inside.size(); i++) {
            const std::byte *element = data(v) + i * size;
            if (inside[i]) {
                continue;
            }
            if (first != nullptr && std::memcmp(first, element, size) != 0) {
                return false;
            }
            first = element;
        }
        return true;
    }

    // Every output of the network exists as the caller wants it.
    std::string outputs() const {
        for (TensorId id : graph_.outputs) {
            bool found = false;
            for (size_t v = 0; v < network_.plan.values.size(); v++) {
                const Placed p = placed(v);
                const Layout dense = row_major(static_cast<int>(p.extents.size()));
                found = found || (tensor_of(v) == id && !p.layout.has_halo() &&
                                  p.offset(last_of(p.extents)) ==
                                      Placed{p.extents, dense, p.type}.offset(last_of(p.extents)));
            }
            if (!found) {
                return "output '" + graph_.tensor(id).name + "' is nowhere as the caller wants it";
            }
        }
        return "";
    }

    static std::vector<int64_t> last_of(std::vector<int64_t> extents) {
        for (int64_t &e : extents) {
            e--;
        }
        return extents;
    }

    const Graph &graph_;
    const PlannedNetwork &network_;
    const TensorValues &inputs_, &reference_;
    CompiledUnits &compiled_;
    std::vector<Allocation> allocations_;
};

}  // namespace

TensorValues random_inputs(const Graph &graph, uint64_t seed) {
    std::mt19937_64 engine(seed);
    std::uniform_real_distribution<double> distribution(-1.0, 1.0);
    TensorValues values(graph.tensors.size());
    for (TensorId id : graph.inputs) {
        auto &of = values[static_cast<size_t>(id)];
        of.resize(static_cast<size_t>(graph.tensor(id).element_count()));
        for (double &v : of) {
            v = static_cast<float>(distribution(engine));
        }
    }
    return values;
}

TensorValues evaluate_reference(const Graph &graph, const TensorValues &inputs) {
    Graph precise = graph;
    std::vector<bool> f32_always(graph.tensors.size());
    for (const Node &node : graph.nodes) {
        for (size_t i = 1; node.operator_type == "Resize" && i < node.inputs.size(); i++) {
            if (node.inputs[i] != kNoTensor) {
                f32_always[static_cast<size_t>(node.inputs[i])] = true;  // scales
            }
        }
    }
    for (size_t id = 0; id < precise.tensors.size(); id++) {
        Tensor &tensor = precise.tensors[id];
        const DataType from = tensor.type;
        if (is_float(from) && !f32_always[id]) {
            tensor.type = DataType::F64;
        }
        if (tensor.constant) {
            tensor.constant =
                make_constant(to_bytes(to_doubles(*tensor.constant, from), tensor.type));
        } else if (!inputs[id].empty()) {
            tensor.constant = make_constant(to_bytes(inputs[id], tensor.type));
        }
    }
    TensorValues values = inputs;
    for (const Node &node : graph.nodes) {
        const TensorId result = node.result();
        Tensor &tensor = precise.tensor(result);
        const ConstantData data = evaluate(precise, node).front();
        values[static_cast<size_t>(result)] = to_doubles(data, tensor.type);
        tensor.constant = data;
    }
    return values;
}

std::string run_and_compare(PlannedNetwork network, const TensorValues &inputs,
                            const TensorValues &reference, CompiledUnits *compiled) {
    compute_constants(network);
    CompiledUnits own;
    return Runner(network, inputs, reference, compiled != nullptr ? *compiled : own).run();
}

std::string dump(const Graph &graph) {
    std::ostringstream text;
    text << "\n";
    const auto shape = [&](TensorId id) {
        std::string list = "t" + std::to_string(id) + "[";
        for (int64_t e : graph.tensor(id).extents()) {
            list += std::to_string(e) + " ";
        }
        return list + "]";
    };
    for (const Node &node : graph.nodes) {
        text << "  " << node.name << " ";
        for (TensorId id : node.inputs) {
            text << (id == kNoTensor ? "-" : shape(id)) << " ";
        }
        text << "-> " << shape(node.result());
        for (const auto &[key, value] : node.attributes) {
            if (const auto *i = std::get_if<int64_t>(&value)) {
                text << " " << key << "=" << *i;
            } else if (const auto *list = std::get_if<std::vector<int64_t>>(&value)) {
                text << " " << key << "=" << (list->empty() ? 0 : list->front());
            }
        }
        text << "\n";
    }
    return text.str();
}

std::string describe(const PlannedNetwork &network) {
    std::ostringstream text;
    text << network.target << dump(network.graph);
    for (const PlannedGroup &group : network.plan.groups) {
        text << "  group";
        for (const PlannedMember &member : group.members) {
            text << " " << member.op << "(" << member.nest.template_name;
            for (const auto &[key, value] : member.nest.parameters) {
                text << " " << key << "=" << value;
            }
            text << ")";
        }
        text << "\n";
    }
    return text.str();
}

}  // namespace emulsion::test
