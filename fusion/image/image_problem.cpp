#include "fusion/image/image_problem.h"

#include <map>

#include <nlohmann/json.hpp>

#include "fusion/hash_hex.h"
#include "fusion/machine_constants.h"

namespace emulsion {

namespace {

// Raised where the meaning of points or of what is hashed changes.
constexpr int kProblemVersion = 1;

class ProblemWriter {
public:
    nlohmann::json graph(const ImageGraph &graph) {
        nlohmann::json stages = nlohmann::json::array();
        for (const ImageStage &stage : graph.stages) {
            stages.push_back(of(stage));
        }
        return stages;
    }

private:
    nlohmann::json of(const ImageStage &s) {
        nlohmann::json definitions = nlohmann::json::array();
        for (const Definition &definition : s.definitions) {
            definitions.push_back(of(definition));
        }
        return {s.extents,
                s.guessed,
                s.element_bytes,
                {s.is_output, s.is_opaque, s.has_own_loops, s.is_inline_only, s.is_wrapper,
                 s.is_tuple, s.has_unit_steps, s.has_unread_value, s.decides_by_channel},
                s.outside,
                s.channel_axis,
                definitions};
    }

    nlohmann::json of(const Definition &d) {
        nlohmann::json reads = nlohmann::json::array();
        for (const ImageRead &read : d.reads) {
            reads.push_back(of(read));
        }
        return {
            d.operations, d.common, reads,     {d.scans, d.scatters, d.has_condition, d.adds_up},
            d.free,       d.pinned, d.reduced, d.lane_loop};
    }

    nlohmann::json of(const ImageRead &r) {
        return {r.producer,     r.element_bytes,
                taps(r.taps),   taps(r.lane_taps),
                reaches(r.all), reaches(r.step),
                r.ordered,      {r.gathers, r.data_dependent, r.repeats}};
    }

    // What is neither an axis nor a constant has the names of variables: it counts by its number.
    nlohmann::json taps(const std::vector<Tap> &taps) {
        nlohmann::json all = nlohmann::json::array();
        for (const Tap &tap : taps) {
            nlohmann::json one = nlohmann::json::array();
            for (const TapIndex &index : tap) {
                const size_t other =
                    index.other.empty()
                        ? 0
                        : numbers_.emplace(index.other, numbers_.size() + 1).first->second;
                one.push_back({index.axis, index.scale, index.offset, other, index.others});
            }
            all.push_back(one);
        }
        return all;
    }

    static nlohmann::json reaches(const std::vector<Reach> &reaches) {
        nlohmann::json all = nlohmann::json::array();
        for (const Reach &reach : reaches) {
            all.push_back({reach.stride, reach.window});
        }
        return all;
    }

    std::map<std::string, size_t> numbers_;
};

}  // namespace

std::string image_problem(const ImageGraph &graph, const std::vector<std::string> &types,
                          const CpuMachine &machine, const std::string &target) {
    const nlohmann::json problem = {kProblemVersion,
                                    ProblemWriter().graph(graph),
                                    types,
                                    constants_of(machine),
                                    machine.threads,
                                    machine.vector_bytes,
                                    machine.vector_registers,
                                    target};
    const std::vector<uint8_t> bytes = nlohmann::json::to_cbor(problem);
    return "i" + hash_hex({reinterpret_cast<const char *>(bytes.data()), bytes.size()});
}

}  // namespace emulsion
