#include "fusion/image/plan_images.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <map>
#include <set>
#include <utility>

#include "fusion/image/code_limits.h"
#include "fusion/image/decide.h"
#include "fusion/image/moving_axes.h"
#include "fusion/image/needed_regions.h"
#include "fusion/image/placement_reasons.h"
#include "fusion/image/register_rows.h"
#include "fusion/image/row_block.h"
#include "fusion/image/stage_cost.h"
#include "fusion/image/stage_facts.h"
#include "fusion/image/transposed_block.h"
#include "fusion/image/unrolled_code.h"
#include "fusion/image/vectors.h"
#include "fusion/image/vectors_of_sums.h"

namespace emulsion {

namespace {

class PlanWriter {
public:
    PlanWriter(const CpuMachine &machine, ImageDecisions decisions)
        : machine_(machine), decisions_(std::move(decisions)), graph_(decisions_.graph),
          facts_(graph_) {}

    Plan run() {
        plan_.policy = "gao2025";
        find_inlined();
        for (const ImageGroup &group : decisions_.groups) {
            add_group(group);
        }
        add_copies();
        return std::move(plan_);
    }

private:
    const ImageStage &stage(int i) const { return graph_.stages[static_cast<size_t>(i)]; }
    Placement placement(int i) const {
        return decisions_.placements[static_cast<size_t>(i)].value_or(Placement::Root);
    }

    static std::vector<int> outermost_first(const ImageStage &s) {
        std::vector<int> order;
        for (int axis = static_cast<int>(s.extents.size()); axis-- > 0;) {
            order.push_back(axis);
        }
        return order;
    }

    // Inlined stages are listed with a group that reads them: that of their first reader.
    void find_inlined() {
        std::map<int, int> home;  // by stage: root of its group
        for (const ImageGroup &group : decisions_.groups) {
            home[group.root] = group.root;
            for (const int member : group.members) {
                home[member] = group.root;
            }
        }
        for (int i = static_cast<int>(graph_.stages.size()); i-- > 0;) {
            for (const Definition &definition : stage(i).definitions) {
                for (const ImageRead &read : definition.reads) {
                    if (read.producer >= 0 && placement(read.producer) == Placement::Inline &&
                        home.count(i) != 0) {
                        home[read.producer] = home.at(i);
                    }
                }
            }
            if (placement(i) == Placement::Inline && home.count(i) != 0) {
                inlined_[home.at(i)].insert(i);
            }
        }
    }

    int value_of(int i) {
        const auto [known, first] = values_.emplace(i, static_cast<int>(plan_.values.size()));
        if (first) {
            plan_.values.push_back({stage(i).name, Layout{.order = outermost_first(stage(i))}, -1});
        }
        return known->second;
    }

    void add_group(const ImageGroup &group) {
        PlannedGroup planned;
        planned.kind = GroupKind::Compute;
        std::map<int, int> loop_nests;  // by stage that has one
        for (const int member : group.members) {
            if (placement(member) == Placement::Panel) {
                loop_nests.emplace(member, static_cast<int>(loop_nests.size()));
            }
        }
        const int last = static_cast<int>(loop_nests.size());
        loop_nests[group.root] = last;
        std::set<int> all(group.members.begin(), group.members.end());
        all.insert(inlined_[group.root].begin(), inlined_[group.root].end());
        all.insert(group.root);
        for (const int i : all) {
            PlannedMember member{.op = stage(i).name, .implementation = "func"};
            member.parts.push_back({"", placement(i)});
            member.stage = last;
            if (const auto nest = loop_nests.find(i); nest != loop_nests.end()) {
                member.stage = nest->second;
                member.nest = nest_of(i, group);
                if (i != group.root) {
                    member.order = outermost_first(stage(i));
                }
            } else if (placement(i) == Placement::Register) {
                member.stage = loop_nests.at(reader_of_sums(i));
            }
            member.reasons = reasons_of(decisions_, i);
            planned.members.push_back(std::move(member));
        }
        std::set<int> inputs;
        for (const int i : all) {
            for (const Definition &definition : stage(i).definitions) {
                for (const ImageRead &read : definition.reads) {
                    if (read.producer >= 0 && placement(read.producer) == Placement::Root &&
                        all.count(read.producer) == 0) {
                        inputs.insert(read.producer);
                    }
                }
            }
        }
        for (const int input : inputs) {
            planned.inputs.push_back(value_of(input));
        }
        planned.output = value_of(group.root);
        planned.cycles = std::isfinite(group.cycles) ? group.cycles : 0.0;
        plan_.groups.push_back(std::move(planned));
    }

    // Of a stage in registers, the stage that has it for its vectors, perhaps through inlined ones.
    int reader_of_sums(int sum) const {
        int reader = readers_of(graph_, sum).front();
        while (placement(reader) == Placement::Inline) {
            reader = readers_of(graph_, reader).front();
        }
        return reader;
    }

    void add_copies() {
        for (int i = static_cast<int>(graph_.stages.size()); i-- > 0;) {
            if (stage(i).copy_of.empty()) {
                continue;
            }
            PlannedCopy copy{stage(i).name, stage(i).copy_of, {}};
            for (const int reader : readers_of(graph_, i)) {
                copy.readers.push_back(stage(reader).name);
            }
            plan_.copies.push_back(std::move(copy));
        }
    }

    Nest nest_of(int i, const ImageGroup &group) const {
        const ImageStage &s = stage(i);
        Nest nest;
        if (s.definitions.empty()) {
            nest.template_name = "external";
            return nest;
        }
        if (s.has_own_loops) {
            nest.template_name = "kept";
            return nest;
        }
        nest.template_name = "tiles";
        const std::vector<DefinitionCost> costs =
            stage_costs(graph_, decisions_.placements, i, machine_);
        set_vectors(i, group, costs, nest);
        nest.parameters["unroll_axis"] = unrolled_in_tile(i, group, costs);
        set_tiles(i, group, nest);
        set_row_block(i, group, nest);
        const bool sweeps = i == group.root && group.shape.sweep;
        if (const SumLanes &lanes = costs.back().lanes; lanes.elements > 1 && !sweeps) {
            nest.parameters["lane_loop"] = s.definitions.back().lane_loop;
            nest.parameters["lanes"] = lanes.elements;
            nest.parameters["lane_vectors"] = lanes.vectors;
        }
        return nest;
    }

    void set_row_block(int i, const ImageGroup &group, Nest &nest) const {
        const StageLoops loops = decisions_.loops_of(i);
        if (loops.aligned != 0 && !stage(i).is_output) {
            nest.parameters["aligned"] = vector_of(stage(i), machine_);
        }
        const bool is_plain = sums_read_by(i, group).empty() &&
                              nest.parameters.at("unroll_axis") != 1 &&
                              nest.parameters.at("transposes") == 0;
        if (loops.block < 2 || !is_plain) {
            return;
        }
        RowBlock block{nest.parameters.at("vector") * nest.parameters.at("vectors"), loops.block};
        if (i != group.root && group.shape.slide_axis >= 0) {
            const Nest root = nest_of(group.root, group);
            block.of_root =
                root.parameters.count("row_block") != 0 ? root.parameters.at("row_block") : 1;
        }
        if (has_row_block(decisions_, group, i, block, machine_)) {
            nest.parameters["row_block"] = loops.block;
        }
    }

    // Of a panel, an axis of which every tile needs all that there is.
    int unrolled_in_tile(int i, const ImageGroup &group,
                         const std::vector<DefinitionCost> &costs) const {
        const int axis = unrolled_axis(stage(i), costs);
        const bool moves = axis >= 0 && i != group.root &&
                           moves_with_tiles(graph_, decisions_.placements, group, i, axis);
        return moves ? -1 : axis;
    }

    void set_vectors(int i, const ImageGroup &group, const std::vector<DefinitionCost> &costs,
                     Nest &nest) const {
        const ImageStage &s = stage(i);
        const bool root = i == group.root;
        const int64_t transposed = transposed_block(s, costs.front(), machine_);
        const int64_t columns_in_vector = vector_of(s, machine_);
        const int vector_axis = root && group.shape.sweep ? 0 : costs.front().vector_axis;
        CodeLimits limits = code_limits(s, costs);
        std::vector<int> sums = sums_read_by(i, group);
        for (const int sum : sums) {
            limits = both(limits, code_limits(stage(sum), stage_costs(graph_, decisions_.placements,
                                                                      sum, machine_)));
        }
        const int64_t wanted = masks_reversed(group, i, costs) ? 1
                               : vector_axis > 0               ? lanes_of_vector(s, machine_)
                               : transposed > 0                ? transposed
                               : root                          ? columns_in_vector
                                      : std::min(columns_in_vector, values_in_tile(i, group));
        const bool is_plain = wanted > 1 && vector_axis == 0 && transposed == 0;
        const int64_t vector =
            std::min(is_plain ? given_vector(i, group, wanted) : wanted, limits.lanes);
        nest.parameters["vector"] = vector;
        nest.parameters["vectors"] = 1;
        nest.parameters["transposes"] = transposed > 0 ? 1 : 0;
        if (vector_axis > 0) {
            nest.parameters["vector_axis"] = vector_axis;
        }
        if (vector > 1 && has_own_sums(i, group, costs)) {
            sums.push_back(i);
            nest.parameters["own_sums"] = 1;
        }
        if (!sums.empty() || decisions_.loops_of(i).vectors > 0) {
            set_side_by_side(i, group, sums, limits, nest);
        }
        if (!sums.empty() && transposed == 0 && unrolled_axis(s, costs) < 0) {
            set_rows_of_sums(i, group,
                             {nest.parameters["vectors"], costs.back().operations,
                              limits.side_by_side, decisions_.loops_of(i).rows},
                             nest);
        }
    }

    // Vectors, whose `sums` are in registers.
    void set_side_by_side(int i, const ImageGroup &group, const std::vector<int> &sums,
                          const CodeLimits &limits, Nest &nest) const {
        const int64_t vector = nest.parameters.at("vector"), given = decisions_.loops_of(i).vectors;
        const bool transposes = nest.parameters.at("transposes") != 0;
        const int64_t most = transposes
                                 ? std::min(kMostTransposed / (vector * vector), kRegisterVectors)
                             : given > 0 ? room_for(i, group, vector * given) / vector
                                         : vectors_of_sums(decisions_, i, sums, vector, machine_);
        // No more than there are columns: what is shifted inwards from them would be written before the output.
        const int64_t columns = stage(i).extents.empty() ? 1 : stage(i).extents.front();
        const int64_t block = transposes ? vector * vector : vector;
        nest.parameters["vectors"] =
            std::max<int64_t>(1, std::min({most, columns / vector, limits.side_by_side / block}));
    }

    void set_rows_of_sums(int i, const ImageGroup &group, const RegisterRow &row,
                          Nest &nest) const {
        const RegisterRows rows = register_rows(decisions_, group, i, row, machine_);
        if (rows.axis > 0) {
            nest.parameters["register_axis"] = rows.axis;
            nest.parameters["register_rows"] = rows.rows;
        }
    }

    // In the place of a vector of `wanted` elements.
    int64_t given_vector(int i, const ImageGroup &group, int64_t wanted) const {
        const int64_t given = decisions_.loops_of(i).vector;
        return given == 0        ? wanted
               : i == group.root ? room_for(i, group, given)
                                 : std::min(wanted, given);
    }

    // Of so many columns, a power of two, those that a tile of the stage has: what is shifted inwards from fewer would
    // begin before it.
    int64_t room_for(int i, const ImageGroup &group, int64_t columns) const {
        const Extents tile = computed_at_a_time(decisions_, group, i);
        while (columns > 1 && !tile.empty() && static_cast<double>(columns) > tile.front()) {
            columns /= 2;
        }
        return columns;
    }

    // Members that stage `i` reads from registers.
    std::vector<int> sums_read_by(int i, const ImageGroup &group) const {
        std::vector<int> sums = group.members;
        std::erase_if(sums, [&](int member) {
            return placement(member) != Placement::Register || reader_of_sums(member) != i;
        });
        return sums;
    }

    // Of updates, and of what may be shorter than a vector, the last vectors of a row are masked.
    bool masks_reversed(const ImageGroup &group, int i,
                        const std::vector<DefinitionCost> &costs) const {
        const bool may_be_short = i != group.root && stage(i).extents.size() == 1;
        return std::any_of(costs.begin() + (may_be_short ? 0 : 1), costs.end(),
                           [](const DefinitionCost &cost) { return cost.reverses; });
    }

    void set_tiles(int i, const ImageGroup &group, Nest &nest) const {
        const bool root = i == group.root;
        const Shape &shape = group.shape;
        nest.parameters["slide_axis"] = root ? shape.slide_axis : -1;
        nest.parameters["host"] = root ? shape.host : 0;
        nest.parameters["sweep"] = root && shape.sweep ? 1 : 0;
        if (root && shape.share > 0) {
            nest.parameters["share"] = shape.share;
        }
        if (root && has_unit_steps(group)) {
            nest.parameters["unit_steps"] = 1;
        }
        for (size_t axis = 0; axis < stage(i).extents.size(); axis++) {
            nest.parameters["block" + std::to_string(axis)] = root ? shape.block[axis] : 0;
        }
    }

    // Of what the root's loops compute.
    bool has_unit_steps(const ImageGroup &group) const {
        const auto has = [&](int i) { return stage(i).has_unit_steps; };
        const auto inlined = inlined_.find(group.root);
        return has(group.root) || std::any_of(group.members.begin(), group.members.end(), has) ||
               (inlined != inlined_.end() &&
                std::any_of(inlined->second.begin(), inlined->second.end(), has));
    }

    // Sums that would go through memory in every iteration of the reduction loops.
    bool has_own_sums(int i, const ImageGroup &group,
                      const std::vector<DefinitionCost> &costs) const {
        const ImageStage &s = stage(i);
        if (s.is_output || !s.copy_of.empty() || s.definitions.size() != 2 || s.extents.empty() ||
            facts_.axis_of_values(i) >= 0) {
            return false;
        }
        const Definition &update = s.definitions.back();
        const bool root = i == group.root;
        // What is gathered takes longer than memory; and channels that share work are computed together.
        return !update.reduced.empty() && !costs.back().gathers && unrolled_axis(s, costs) < 0 &&
               update.is_free() && costs.back().lanes.elements == 1 &&
               !(root && (group.shape.sweep || group.shape.share > 0)) && !update.scans;
    }

    // Elements of a panel with a value for each row, in a tile: no more of them are computed side by side.
    int64_t values_in_tile(int i, const ImageGroup &group) const {
        const int axis = facts_.axis_of_values(i);
        const auto &block = group.shape.block;
        const bool cut = axis >= 0 && axis < std::ssize(block) && std::ssize(block) > 1 &&
                         block[static_cast<size_t>(axis)] > 0;
        return cut ? static_cast<int64_t>(
                         std::bit_floor(static_cast<uint64_t>(block[static_cast<size_t>(axis)])))
                   : std::numeric_limits<int64_t>::max();
    }

    const CpuMachine &machine_;
    const ImageDecisions decisions_;
    const ImageGraph &graph_;
    const StageFacts facts_;
    std::map<int, std::set<int>> inlined_;  // by root of the group
    std::map<int, int> values_;             // planned value of a stored stage
    Plan plan_;
};

}  // namespace

Plan plan_images(const ImageGraph &graph, const CpuMachine &machine) {
    return plan_images(machine, decide_images(graph, machine));
}

Plan plan_images(const CpuMachine &machine, ImageDecisions decisions) {
    return PlanWriter(machine, std::move(decisions)).run();
}

}  // namespace emulsion
