#include "fusion/image/stage_cost.h"

#include <algorithm>
#include <cmath>
#include <set>

namespace emulsion {

namespace {

// Of one element of a gather.
constexpr double kGathered = 1.5;
// Strided loads up to this are made of dense ones.
constexpr double kLongestStride = 4.0;
// Of a definition that can't be computed in vectors, per scalar operation.
constexpr double kScalar = 0.5;

std::string text_of(const Tap &tap) {
    std::string text;
    for (const TapIndex &index : tap) {
        text += index.other + "," + std::to_string(index.axis) + "*" + std::to_string(index.scale) +
                "+" + std::to_string(index.offset) + ";";
    }
    return text;
}

// Where `inner` reads, in terms of a reader that reads its owner at `outer`.
Tap composed(const Tap &outer, const Tap &inner) {
    Tap tap;
    for (const TapIndex &index : inner) {
        TapIndex through = index;
        if (!index.other.empty()) {
            through.other += "@" + text_of(outer);
        } else if (index.axis >= 0) {
            const TapIndex &at = outer[static_cast<size_t>(index.axis)];
            if (!at.other.empty()) {
                through = {-1, index.scale, index.offset,
                           std::to_string(index.scale) + "*(" + at.other + ")"};
            } else {
                through.axis = at.axis;
                through.scale = at.axis < 0 ? 1 : index.scale * at.scale;
                through.offset = index.offset + index.scale * at.offset;
            }
        }
        tap.push_back(through);
    }
    return tap;
}

struct Reads {
    std::set<Tap> taps;
    bool gathers = false;
};

class Expansion {
public:
    Expansion(const ImageGraph &graph, const StagePlacements &placements, const CpuMachine &machine)
        : graph_(graph), placements_(placements), machine_(machine) {}

    DefinitionCost run(int stage, const Definition &definition) {
        const ImageStage &owner = graph_.stages[static_cast<size_t>(stage)];
        widest_ = owner.element_bytes;
        DefinitionCost cost;
        operations_ = definition.operations;
        for (const ImageRead &read : definition.reads) {
            add(read, read.taps, read.gathers);
        }
        while (!pending_.empty() && pending_.rbegin()->first >= 0) {
            const int next = pending_.rbegin()->first;
            const Reads reads = std::move(pending_.rbegin()->second);
            pending_.erase(std::prev(pending_.end()));
            if (placements_[static_cast<size_t>(next)] == Placement::Inline) {
                inline_stage(graph_.stages[static_cast<size_t>(next)], reads);
            } else {
                cost.taps[next] = static_cast<int>(reads.taps.size());
                count_loads(reads);
            }
        }
        for (const auto &[input, reads] : pending_) {
            count_loads(reads);
        }
        cost.transposes = transposes_;
        cost.operations = operations_ + loads_ + gathered_;
        const bool vectors = !definition.free.empty() && definition.free.front();
        const VectorRates rates = machine_.rates({}, {});  // all types alike, but for their lanes
        cost.cycles = vectors ? (operations_ * rates.operation + loads_ * rates.load) /
                                        machine_.lanes(std::max(widest_, 1)) +
                                    gathered_ * kGathered
                              : (operations_ + loads_ + gathered_) * kScalar;
        if (owner.branch_axis >= 0) {
            // All branches together make all elements along the axis.
            cost.cycles /=
                static_cast<double>(owner.extents[static_cast<size_t>(owner.branch_axis)]);
        }
        return cost;
    }

private:
    void add(const ImageRead &read, const std::vector<Tap> &taps, bool gathers) {
        // Inputs by their size: each is read as if it were another.
        const int key = read.producer >= 0 ? read.producer : -1 - ++inputs_;
        Reads &reads = pending_[key];
        reads.gathers = reads.gathers || gathers;
        if (reads.taps.size() + taps.size() <= kMostTaps) {
            reads.taps.insert(taps.begin(), taps.end());
        } else {
            operations_ += 1e6;
        }
        widest_ = std::max(widest_, read.element_bytes);
    }

    void inline_stage(const ImageStage &stage, const Reads &reads) {
        const Definition &definition = stage.definitions.front();
        const auto axis = static_cast<size_t>(std::max(stage.branch_axis, 0));
        for (const ImageRead &read : definition.reads) {
            std::vector<Tap> taps;
            for (const Tap &outer : reads.taps) {
                const bool one_branch =
                    stage.branch_axis >= 0 && outer[axis].is_constant() &&
                    static_cast<int64_t>(read.taps.size()) == stage.extents[axis];
                for (size_t i = 0; i < read.taps.size() && taps.size() <= kMostTaps; i++) {
                    if (!one_branch || static_cast<int64_t>(i) == outer[axis].offset) {
                        taps.push_back(composed(outer, read.taps[i]));
                    }
                }
            }
            add(read, taps, read.gathers || reads.gathers);
        }
        for (const Tap &outer : reads.taps) {
            const bool one_branch = stage.branch_axis >= 0 && outer[axis].is_constant();
            operations_ += definition.operations /
                           (one_branch ? static_cast<double>(stage.extents[axis]) : 1.0);
        }
    }

    void count_loads(const Reads &reads) {
        for (const Tap &tap : reads.taps) {
            bool gathers = false;
            for (size_t i = 0; i < tap.size(); i++) {
                const bool moves = i > 0 && tap[i].axis == 0;
                gathers = gathers || moves || (!tap[i].other.empty() && reads.gathers);
                transposes_ = transposes_ || (moves && tap[i].scale == 1 && tap[0].axis > 0);
            }
            const double stride =
                tap.empty() || tap[0].axis != 0 ? 1.0 : std::abs(static_cast<double>(tap[0].scale));
            gathered_ += gathers || stride > kLongestStride ? 1.0 : 0.0;
            loads_ += gathers || stride > kLongestStride ? 0.0 : stride;
        }
    }

    const ImageGraph &graph_;
    const StagePlacements &placements_;
    const CpuMachine &machine_;
    std::map<int, Reads> pending_;  // by stage; inputs are negative
    double operations_ = 0.0, loads_ = 0.0, gathered_ = 0.0;
    int widest_ = 1, inputs_ = 0;
    bool transposes_ = false;
};

}  // namespace

std::vector<DefinitionCost> stage_costs(const ImageGraph &graph, const StagePlacements &placements,
                                        int stage, const CpuMachine &machine) {
    std::vector<DefinitionCost> costs;
    for (const Definition &definition : graph.stages[static_cast<size_t>(stage)].definitions) {
        costs.push_back(Expansion(graph, placements, machine).run(stage, definition));
    }
    return costs;
}

}  // namespace emulsion
