#include "fusion/image/stage_cost.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <set>

#include "fusion/image/composed_taps.h"
#include "fusion/image/needed_regions.h"
#include "fusion/image/stage_facts.h"
#include "fusion/image/tap_offsets.h"
#include "fusion/image/unrolled_code.h"
#include "fusion/image/vectors.h"

namespace emulsion {

namespace {

// Strided loads up to this are made of dense ones, as many, and of as many shuffles.
constexpr double kLongestStride = 4.0, kLoadAndShuffle = 2.0;
// The channel axis is unrolled where that saves so much, where code doesn't become too large for compilers, and where the
// indices of gathers that channels share stay in registers.
constexpr double kUnrollsBelow = 0.97, kMostUnrolledOperations = 400.0, kMostSharedIndices = 8.0;
// Vectors of partial sums side by side, where their loop runs so often; and what it takes to begin them, and to
// add up a lane of them, one after the other.
constexpr int64_t kSumVectors = 2;
constexpr double kLeastSteps = 4.0, kLaneStart = 20.0, kLaneSum = 3.0;
// An iteration that reads what the one before it wrote waits for that to be stored, and for a chain of operations.
constexpr double kScanWait = 8.0;

struct Reads {
    std::set<Tap> taps;
    bool gathers = false;
};

// What an element needs: in all, and of that what is the same for all elements along the channel axis.
struct Work {
    double all = 0.0, common = 0.0;

    void add(double amount, double common_share) {
        all += amount;
        common += common_share * amount;
    }
    // Per element of `channels` that are computed side by side.
    double unrolled(double channels) const { return all - common + common / channels; }
};

class Expansion {
public:
    // Vectors run along an axis of `owner`; behind its last one, along the lane loop of a definition of it.
    Expansion(const ImageGraph &graph, const StagePlacements &placements, const CpuMachine &machine,
              const ImageStage &owner, int along = 0)
        : graph_(graph), placements_(placements), machine_(machine), owner_(owner),
          lanes_(along == std::ssize(owner.extents)), along_(along) {}

    DefinitionCost run(const Definition &definition) {
        DefinitionCost cost;
        expand(definition, cost);
        const bool is_update = &definition != &owner_.definitions.front();
        const bool vectors =
            !definition.free.empty() && definition.free.front() && !(is_update && cost.reverses);
        cost.cycles = cycles(vectors, operations_.all, loads_.all, gathered_.all) +
                      (definition.scans && !vectors ? kScanWait : 0.0);
        if (owner_.channel_axis >= 0 && operations_.all <= kMostUnrolledOperations &&
            (owner_.decides_by_channel || gathered_.all <= kMostSharedIndices)) {
            const double n = channels();
            // All branches together make all elements along the axis.
            const double unrolled = owner_.decides_by_channel
                                        ? cost.cycles / n
                                        : cycles(vectors, operations_.unrolled(n),
                                                 loads_.unrolled(n), gathered_.unrolled(n));
            cost.unrolls = unrolled < kUnrollsBelow * cost.cycles;
            cost.cycles = cost.unrolls ? unrolled : cost.cycles;
        }
        cost.columns_cycles = cost.cycles;
        return cost;
    }

    // Only the cycles, of an axis that is walked freely.
    double run_turned(const Definition &definition) {
        DefinitionCost cost;
        expand(definition, cost);
        return cost.reverses ? std::numeric_limits<double>::infinity()
                             : cycles(true, operations_.all, loads_.all, gathered_.all) +
                                   (definition.scans ? kScanWait / lanes() : 0.0);
    }

    // Only the lanes and the cycles with them.
    DefinitionCost run_lanes(const Definition &definition) {
        DefinitionCost cost;
        expand(definition, cost);
        const auto loop =
            static_cast<double>(definition.reduced[static_cast<size_t>(definition.lane_loop)]);
        const auto most = std::min<int64_t>(lanes(), cost.most_side_by_side);
        const auto vector = static_cast<int64_t>(std::bit_floor(static_cast<uint64_t>(most)));
        const bool several = loop >= kLeastSteps * kSumVectors * static_cast<double>(vector) &&
                             kSumVectors * vector <= cost.most_side_by_side;
        cost.lanes = {vector, several ? kSumVectors : 1};
        const auto step = static_cast<double>(cost.lanes.elements * cost.lanes.vectors);
        const double iterations = product({definition.reduced.begin(), definition.reduced.end()});
        const double rest = std::ceil(loop / step) * step / loop;
        cost.cycles = cost.reverses
                          ? std::numeric_limits<double>::infinity()
                          : rest * cycles(true, operations_.all, loads_.all, gathered_.all) +
                                (kLaneSum * step + kLaneStart) / iterations;
        return cost;
    }

private:
    void expand(const Definition &definition, DefinitionCost &cost) {
        widest_ = owner_.element_bytes;
        branches_ = definition.has_condition;
        operations_ = {definition.operations, definition.common};
        for (const ImageRead &read : definition.reads) {
            add(read, lanes_ ? read.lane_taps : read.taps, read.gathers);
        }
        while (!pending_.empty() && pending_.rbegin()->first >= 0) {
            const int next = pending_.rbegin()->first;
            const Reads reads = std::move(pending_.rbegin()->second);
            pending_.erase(std::prev(pending_.end()));
            if (placements_[static_cast<size_t>(next)] == Placement::Inline) {
                inline_stage(graph_.stages[static_cast<size_t>(next)], reads);
            } else {
                cost.taps[next] = static_cast<int>(reads.taps.size());
                cost.offsets[next] = offsets_of(reads.taps);
                if (reads.taps.size() == 1 && is_own_place(*reads.taps.begin())) {
                    cost.own_places.insert(next);
                }
                count_loads(reads);
            }
        }
        for (const auto &[input, reads] : pending_) {
            count_loads(reads);
            cost.reads_bare_inputs =
                cost.reads_bare_inputs ||
                std::any_of(reads.taps.begin(), reads.taps.end(), [](const Tap &tap) {
                    return std::all_of(tap.begin(), tap.end(),
                                       [](const TapIndex &index) { return index.other.empty(); });
                });
        }
        cost.most_lanes = most_lanes();
        cost.most_side_by_side =
            single_loads_ > 0 ? std::max<int64_t>(1, kMostSingleLoads / single_loads_) : kAnyNumber;
        cost.transposes = transposes_;
        cost.reverses = reverses_;
        cost.gathers = gathers_;
        cost.operations = operations_.all + loads_.all + gathered_.all;
    }

    int lanes() const {
        return static_cast<int>(
            std::min<int64_t>(machine_.lanes(std::max(widest_, 1)), most_lanes()));
    }

    int64_t most_lanes() const {
        return repeats_ && widest_ <= 1 ? kMostRepeatedBytes : kAnyNumber;
    }

    double channels() const {
        return static_cast<double>(owner_.extents[static_cast<size_t>(owner_.channel_axis)]);
    }

    double cycles(bool vectors, double operations, double loads, double gathered) const {
        // All types alike, but for their lanes.
        return vectors ? (operations * machine_.image_operation_cycles +
                          loads * machine_.image_load_cycles) /
                                 lanes() +
                             gathered * machine_.image_gather_cycles
                       : (operations + loads + gathered) * machine_.image_scalar_cycles;
    }

    // Whether what is read there is the same for all elements along the channel axis.
    bool is_common(const Tap &tap) const {
        return owner_.channel_axis >= 0 &&
               std::none_of(tap.begin(), tap.end(), [&](const TapIndex &index) {
                   return index.depends_on(owner_.channel_axis);
               });
    }

    // Of the operations of a stage that is inlined there.
    double common_share(const ImageStage &stage, const Tap &tap) const {
        if (is_common(tap)) {
            return 1.0;
        }
        const Definition &definition = stage.definitions.front();
        if (!follows_channels(stage, tap) || definition.operations == 0.0) {
            return 0.0;
        }
        // Each of the elements along the channel axis is one of the branches.
        return stage.decides_by_channel ? 1.0 : definition.common / definition.operations;
    }

    // The channels of the owner are those of a stage that is read there.
    bool follows_channels(const ImageStage &stage, const Tap &tap) const {
        if (owner_.channel_axis < 0 || stage.channel_axis < 0) {
            return false;
        }
        for (size_t axis = 0; axis < tap.size(); axis++) {
            const TapIndex &index = tap[axis];
            const bool is_channel = static_cast<int>(axis) == stage.channel_axis;
            if (is_channel
                    ? !index.other.empty() || index.axis != owner_.channel_axis || index.scale != 1
                    : index.depends_on(owner_.channel_axis)) {
                return false;
            }
        }
        return true;
    }

    void add(const ImageRead &read, const std::vector<Tap> &taps, bool gathers) {
        // Inputs by their size: each is read as if it were another.
        const int key = read.producer >= 0 ? read.producer : -1 - ++inputs_;
        Reads &reads = pending_[key];
        reads.gathers = reads.gathers || gathers;
        repeats_ = repeats_ || read.repeats;
        if (reads.taps.size() + taps.size() <= kMostTaps) {
            reads.taps.insert(taps.begin(), taps.end());
        } else {
            operations_.add(1e6, false);
        }
        widest_ = std::max(widest_, read.element_bytes);
    }

    void inline_stage(const ImageStage &stage, const Reads &reads) {
        const Definition &definition = stage.definitions.front();
        const int branch_axis = stage.decides_by_channel ? stage.channel_axis : -1;
        const auto axis = static_cast<size_t>(std::max(branch_axis, 0));
        for (const ImageRead &read : definition.reads) {
            std::vector<Tap> taps;
            for (const Tap &outer : reads.taps) {
                const bool one_branch =
                    branch_axis >= 0 && outer[axis].is_constant() &&
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
            const bool one_branch = branch_axis >= 0 && outer[axis].is_constant();
            operations_.add(definition.operations /
                                (one_branch ? static_cast<double>(stage.extents[axis]) : 1.0),
                            common_share(stage, outer));
            if (stage.outside > 0 && outer.front().depends_on(along_)) {
                gathered_.add(edges(stage), is_common(outer));
            }
        }
    }

    // Share of the vectors along a row that reach beyond what a boundary condition stands for: elements of these
    // are loaded one by one.
    double edges(const ImageStage &stage) const {
        constexpr double kSides = 2.0;
        const double vector = lanes();
        return std::min(1.0, (static_cast<double>(stage.outside) + kSides * vector) /
                                 static_cast<double>(stage.extents.front()));
    }

    void count_loads(const Reads &reads) {
        for (const Tap &tap : reads.taps) {
            bool gathers = false, moves_along = false, computed = false;
            for (size_t i = 0; i < tap.size(); i++) {
                const bool moves = i > 0 && tap[i].axis == along_;
                const bool scattered = (along_ > 0 || reads.gathers) && tap[i].depends_on(along_);
                computed = computed || (!tap[i].other.empty() && tap[i].depends_on(along_));
                moves_along = moves_along || moves;
                gathers = gathers || moves || (!tap[i].other.empty() && scattered);
                transposes_ = transposes_ || (moves && tap[i].scale == 1 && tap[0].axis > 0);
            }
            const double stride = tap.empty() || tap[0].axis != along_
                                      ? 1.0
                                      : std::abs(static_cast<double>(tap[0].scale));
            gathers_ = gathers_ || gathers;
            single_loads_ += branches_ && computed                 ? kLoadsWithBranches
                             : moves_along && tap[0].is_constant() ? 1
                                                                   : 0;
            reverses_ = reverses_ || (!tap.empty() && tap[0].axis == along_ && tap[0].scale == -1);
            if (gathers || stride > kLongestStride) {
                gathered_.add(1.0, is_common(tap));
            } else {
                loads_.add(stride > 1.0 ? kLoadAndShuffle * stride : 1.0, is_common(tap));
            }
        }
    }

    const ImageGraph &graph_;
    const StagePlacements &placements_;
    const CpuMachine &machine_;
    const ImageStage &owner_;
    const bool lanes_;              // not of the stage, but of its sums
    const int along_;               // axis of the reader, the lane loop counting as its last
    std::map<int, Reads> pending_;  // by stage; inputs are negative
    Work operations_, loads_, gathered_;
    int widest_ = 1, inputs_ = 0;
    int64_t single_loads_ =
        0;  // of one element each, from a fixed column or where an update computes
    bool transposes_ = false, gathers_ = false, reverses_ = false, repeats_ = false,
         branches_ = false;
};

// The first axis that vectors may run along in every definition while loops along the columns run in their order; 0:
// there is none, or it would not fill a vector.
int turned_axis(const ImageStage &stage, const std::optional<Placement> &placement,
                const CpuMachine &machine) {
    const bool others_store_it = !stage.is_output && !stage.is_opaque && stage.copy_of.empty() &&
                                 placement != Placement::Register;
    const auto scans = [](const Definition &d) { return !d.free.empty() && !d.free.front(); };
    const int64_t lanes = lanes_of_vector(stage, machine);
    if (!others_store_it || stage.extents.empty() || stage.extents.front() < lanes ||
        std::none_of(stage.definitions.begin(), stage.definitions.end(), scans)) {
        return 0;
    }
    for (size_t axis = 1; axis < stage.extents.size(); axis++) {
        const auto is_free = [&](const Definition &d) { return d.free[axis] && !d.scatters; };
        if (stage.extents[axis] >= lanes &&
            std::all_of(stage.definitions.begin(), stage.definitions.end(), is_free)) {
            return static_cast<int>(axis);
        }
    }
    return 0;
}

// Cycles per element of each definition with vectors along another axis; what turns and stores them counts to the
// first.
std::vector<double> turned_cycles(const ImageGraph &graph, const StagePlacements &placements,
                                  int stage, int axis, const CpuMachine &machine) {
    const ImageStage &owner = graph.stages[static_cast<size_t>(stage)];
    std::vector<double> cycles;
    for (const Definition &definition : owner.definitions) {
        cycles.push_back(Expansion(graph, placements, machine, owner, axis).run_turned(definition));
    }
    cycles.front() += machine.image_gather_cycles;
    return cycles;
}

// Where that is less in all.
void turn(const ImageStage &stage, int axis, const std::vector<double> &turned,
          std::vector<DefinitionCost> &costs) {
    const Extents whole{stage.extents.begin(), stage.extents.end()};
    double all = 0.0, all_turned = 0.0;
    for (size_t d = 0; d < costs.size(); d++) {
        const double count = evaluations(stage.definitions[d], whole);
        all += count * costs[d].cycles;
        all_turned += count * turned[d];
    }
    for (size_t d = 0; d < costs.size() && all_turned < all; d++) {
        costs[d].vector_axis = axis;
        costs[d].cycles = costs[d].columns_cycles = turned[d];
        costs[d].lanes = {};
        costs[d].unrolls = false;
    }
}

}  // namespace

std::vector<DefinitionCost> stage_costs(const ImageGraph &graph, const StagePlacements &placements,
                                        int stage, const CpuMachine &machine) {
    const ImageStage &owner = graph.stages[static_cast<size_t>(stage)];
    std::vector<DefinitionCost> costs;
    for (const Definition &definition : owner.definitions) {
        costs.push_back(Expansion(graph, placements, machine, owner).run(definition));
        // In registers, vectors are those of the columns of its reader.
        if (definition.lane_loop < 0 ||
            placements[static_cast<size_t>(stage)] == Placement::Register) {
            continue;
        }
        const DefinitionCost lanes =
            Expansion(graph, placements, machine, owner, static_cast<int>(owner.extents.size()))
                .run_lanes(definition);
        if (lanes.cycles < costs.back().cycles) {
            costs.back().cycles = lanes.cycles;
            costs.back().lanes = lanes.lanes;
            costs.back().transposes = false;
            costs.back().unrolls = false;
        }
    }
    if (const int axis = turned_axis(owner, placements[static_cast<size_t>(stage)], machine)) {
        turn(owner, axis, turned_cycles(graph, placements, stage, axis, machine), costs);
    }
    return costs;
}

int unrolled_axis(const ImageStage &stage, const std::vector<DefinitionCost> &costs) {
    const bool unrolls = std::any_of(costs.begin(), costs.end(),
                                     [](const DefinitionCost &cost) { return cost.unrolls; });
    return unrolls ? stage.channel_axis : -1;
}

}  // namespace emulsion
