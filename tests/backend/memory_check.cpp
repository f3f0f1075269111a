#include "tests/backend/memory_check.h"

#include <map>
#include <optional>
#include <vector>

namespace emulsion::test {

namespace {

// Who put what at a byte that an element begins at.
struct Content {
    int owner = -1;              // planned value in whose memory it lies
    std::optional<double> fill;  // of a halo; else a launch computed it
    bool operator==(const Content &) const = default;
};

using Storages = std::map<std::pair<Storage, int>, std::map<int64_t, Content>>;

class MemoryFollower {
public:
    MemoryFollower(const Graph &graph, const PlannedNetwork &network, const Program &program)
        : graph_(graph), network_(network), program_(program) {}

    std::string run() {
        for (const Launch &launch : program_.launches) {
            fill(launch, true);
        }
        for (int round = 0; round < 2; round++) {
            for (size_t l = 0; l < program_.launches.size(); l++) {
                if (const std::string wrong = run_launch(l); !wrong.empty()) {
                    return program_.launches[l].label + ": " + wrong;
                }
            }
            for (const OutputCopy &copy : program_.copies) {
                if (const std::string wrong = read(copy.view, -1); !wrong.empty()) {
                    return "a copied output: " + wrong;
                }
            }
        }
        return "";
    }

private:
    const BufferView &view(int index) const {
        return program_.views.at(static_cast<size_t>(index));
    }
    bool in_arena(const BufferView &v) const {
        return v.storage == Storage::Arena || v.storage == Storage::Output;
    }

    // Calls visit(byte offset in the storage, coordinates) for every element of a view.
    template<typename Visit>
    static void for_each_element(const BufferView &v, Visit visit) {
        std::vector<int64_t> at;
        for (const BufferDimension &d : v.dimensions) {
            if (d.extent == 0) {
                return;
            }
            at.push_back(d.min);
        }
        for (bool more = true; more;) {
            int64_t offset = 0;
            for (size_t d = 0; d < at.size(); d++) {
                offset += (at[d] - v.dimensions[d].min) * v.dimensions[d].stride;
            }
            visit(v.offset + offset * size_of(v.type), at);
            more = false;
            for (size_t d = at.size(); d-- > 0 && !more;) {
                more = ++at[d] < v.dimensions[d].min + v.dimensions[d].extent;
                at[d] = more ? at[d] : v.dimensions[d].min;
            }
        }
    }

    // Halos that are filled before the first run, or those before the launch in every run.
    void fill(const Launch &launch, bool once) {
        for (const HaloFill &fill : launch.fills) {
            if (fill.once != once) {
                continue;
            }
            const BufferView &v = view(fill.view);
            const int owner = owner_of_fill(launch, fill);
            for_each_element(v, [&](int64_t byte, const std::vector<int64_t> &at) {
                for (size_t d = 0; d < at.size(); d++) {
                    const int64_t from_start = at[d] - v.dimensions[d].min;
                    const bool inside = from_start >= fill.margin[d].before &&
                                        from_start < v.dimensions[d].extent - fill.margin[d].after;
                    if (!inside) {
                        memory_[{v.storage, v.index}][byte] = {owner, fill.value};
                        return;
                    }
                }
            });
        }
    }

    int owner_of_fill(const Launch &launch, const HaloFill &) const {
        const auto index = static_cast<size_t>(&launch - program_.launches.data());
        return network_.plan.owner(network_.launches.at(index).output);
    }

    std::string run_launch(size_t l) {
        const Launch &launch = program_.launches[l];
        const PlannedLaunch &planned = network_.launches.at(l);
        fill(launch, false);
        for (size_t i = 0; i < planned.inputs.size(); i++) {
            if (std::string wrong = read(launch.views.at(i), planned.inputs[i]); !wrong.empty()) {
                return wrong;
            }
        }
        const BufferView &out = view(launch.views.back());
        const int owner = network_.plan.owner(planned.output);
        for_each_element(out, [&](int64_t byte, const std::vector<int64_t> &) {
            memory_[{out.storage, out.index}][byte] = {owner, {}};
        });
        return "";
    }

    // `planned`: the planned value that the view is of, or -1, where any value's elements will do.
    std::string read(int index, int planned) {
        const BufferView &v = view(index);
        if (!in_arena(v)) {
            return "";
        }
        const Tensor &tensor = graph_.tensor(v.tensor);
        const std::vector<int64_t> extents = tensor.extents();
        const auto &memory = memory_[{v.storage, v.index}];
        std::string wrong;
        for_each_element(v, [&](int64_t byte, const std::vector<int64_t> &at) {
            bool inside = true;
            for (size_t d = 0; d < extents.size(); d++) {
                inside = inside && at[d] >= 0 && at[d] < extents[d];
            }
            const auto found = memory.find(byte);
            const Content content = found == memory.end() ? Content{} : found->second;
            const bool owned =
                planned < 0 ? content.owner >= 0 : content.owner == network_.plan.owner(planned);
            std::optional<double> promised;
            if (!inside && planned >= 0) {
                promised = network_.plan.values[static_cast<size_t>(planned)].layout.fill;
            }
            if (wrong.empty() && (!owned || content.fill != promised)) {
                wrong = std::string(inside ? "an element" : "the halo") + " of '" + tensor.name +
                        "' was " + (content.owner < 0 ? "never written" : "overwritten");
            }
        });
        return wrong;
    }

    const Graph &graph_;
    const PlannedNetwork &network_;
    const Program &program_;
    Storages memory_;
};

}  // namespace

std::string memory_fault(const Graph &graph, const PlannedNetwork &network,
                         const Program &program) {
    return MemoryFollower(graph, network, program).run();
}

}  // namespace emulsion::test
