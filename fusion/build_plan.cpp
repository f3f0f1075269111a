#include "fusion/build_plan.h"

#include <algorithm>
#include <cassert>
#include <set>

#include "fusion/cost/analytic_cost.h"
#include "fusion/cost/copy_cost.h"
#include "fusion/layouts.h"
#include "fusion/legality.h"
#include "fusion/place_members.h"
#include "fusion/policy.h"
#include "fusion/reshape.h"
#include "fusion/slices.h"

namespace emulsion {

namespace {

struct PricedGroup {
    PlacedGroup group;
    double cycles = 0.0;
};

// Groups that are legal and can be computed, with the placement that their price is for; one that is not
// is split into its members, but for those that another group stores.
std::vector<PricedGroup> placed_groups(const OperatorGraph &graph, const GroupCost &cost,
                                       Partition &partition) {
    const std::vector<std::vector<int>> consumers = graph.consumers();
    const std::vector<bool> duplicated = duplicated_operators(graph, partition.groups);
    std::set<int> stored;
    for (const std::vector<int> &members : partition.groups) {
        stored.insert(members.back());
    }
    std::vector<PricedGroup> groups;
    for (const std::vector<int> &members : partition.groups) {
        std::string reason = illegal_because(graph, consumers, members, duplicated);
        if (reason.empty()) {
            GroupPrice price = cost.price(members);
            if (price.refused.empty()) {
                groups.push_back({{members, std::move(price.placement)}, price.cycles});
                continue;
            }
            reason = price.refused;
        }
        for (const int op : members) {
            if (op == members.back() || stored.insert(op).second) {
                const GroupPrice price = cost.price({op});
                groups.push_back({{{op}, price.placement}, price.cycles});
            }
        }
        const auto &first = graph.operators[static_cast<size_t>(members.front())].name;
        const auto &last = graph.operators[static_cast<size_t>(members.back())].name;
        partition.refusals.push_back({first, last, reason});
    }
    std::stable_sort(groups.begin(), groups.end(), [](const auto &a, const auto &b) {
        return a.group.members.back() < b.group.members.back();
    });
    return groups;
}

class PlanBuilder {
public:
    PlanBuilder(const OperatorGraph &graph, const PlannerOptions &options, const Policy &policy,
                const MoveWays &ways)
        : graph_(graph), options_(options), policy_(policy), slices_(graph.values.size()),
          current_(graph.values.size(), -1), planned_(graph.values.size()) {
        plan_.policy = policy.name;
        plan_.absorbs_copies = policy.absorbs_copies;
        for (size_t i = 0; policy.absorbs_copies && i < ways.size(); i++) {
            if (only_moves(graph, graph.operators[i]) && ways[i] != MoveWay::Free) {
                plan_.moves.push_back({graph.operators[i].name, ways[i]});
            }
        }
        std::vector<Layout> orders = preferred_orders(graph, ways);
        if (options.owns_layouts) {
            lay_out(orders);
        } else {
            layouts_ = std::move(orders);
            for (size_t v = 0; v < layouts_.size(); v++) {
                if (graph.values[v].role != ValueRole::Intermediate || graph.values[v].is_output) {
                    layouts_[v] = caller_layout(graph.values[v]);
                }
            }
        }
        for (size_t v = 0; v < layouts_.size(); v++) {
            graph_.values[v].order = layouts_[v].order;
        }
    }

    Plan run(CostSource &costs) {
        const std::vector<bool> free = free_operators();
        const std::unique_ptr<GroupCost> model = costs.cost_of(graph_, free);
        const GroupCost &cost = *model;
        SearchOptions search = options_.search;
        if (!options_.owns_layouts) {
            search.duplication_tries = 0;  // a Func of a pipeline has one schedule
        }
        Partition partition = policy_.partition({graph_, cost, free, search});
        const std::vector<PricedGroup> groups = placed_groups(graph_, cost, partition);
        plan_.refusals = partition.refusals;
        plan_.search = partition.report;
        for (const Duplication &duplication : partition.duplications) {
            plan_.duplications.push_back({{}, duplication.cycles_won});
            for (const int member : duplication.operators) {
                plan_.duplications.back().ops.push_back(op(member).name);
            }
        }
        convert_inputs();
        for (const auto &[group, cycles] : groups) {
            if (group.members.size() > 1 || !add_without_kernel(group.members)) {
                add_compute(group, cycles);
            }
        }
        return std::move(plan_);
    }

private:
    const PlannerOperator &op(int i) const { return graph_.operators[static_cast<size_t>(i)]; }
    const Value &value(int v) const { return graph_.values[static_cast<size_t>(v)]; }
    const Layout &layout(int v) const { return layouts_[static_cast<size_t>(v)]; }
    const Slice &slice(int v) const { return slices_[static_cast<size_t>(v)]; }
    int &current(int v) { return current_[static_cast<size_t>(v)]; }
    const PlannedValue &planned(int p) const { return plan_.values[static_cast<size_t>(p)]; }

    void lay_out(const std::vector<Layout> &orders) {
        const int64_t aligned = options_.machine.is_gpu() ? kGpuVector : 1;
        movers_.assign(graph_.operators.size(), false);
        bool again = true;
        while (again) {
            slices_ = find_slices(graph_, orders, policy_.absorbs_copies, movers_);
            layouts_ = preferred_layouts(graph_, orders, slices_, aligned);
            const std::vector<int> odd =
                misaligned_slices(graph_, slices_, layouts_, aligned, movers_);
            for (const int i : odd) {
                movers_[static_cast<size_t>(i)] = true;
            }
            again = !odd.empty();
        }
    }

    // A concatenation whose operands are written, or copied, to their places in its result.
    bool is_absorbed(int index) const {
        return policy_.absorbs_copies && !is_marked(movers_, index);
    }

    int add_value(int v, const Layout &in, int alias_of = -1) {
        plan_.values.push_back({value(v).name, in, alias_of});
        const int index = static_cast<int>(plan_.values.size()) - 1;
        planned_[static_cast<size_t>(v)].push_back(index);
        return index;
    }

    // The planned value in which graph value `v` lies as it likes to. One that is a slice of a
    // concatenation's result comes after that, which is made here if need be.
    int home(int v) {
        std::vector<int> chain{v};
        while (slice(chain.back()).whole >= 0 && current(chain.back()) < 0) {
            chain.push_back(slice(chain.back()).whole);
        }
        for (auto it = chain.rbegin(); it != chain.rend(); ++it) {
            if (current(*it) < 0) {
                const int whole = slice(*it).whole;
                current(*it) = add_value(*it, layout(*it), whole < 0 ? -1 : current(whole));
            }
        }
        return current(v);
    }

    // Inputs lie as the caller has them; those that are wanted otherwise are copied once.
    void convert_inputs() {
        for (size_t i = 0; i < graph_.values.size(); i++) {
            const int v = static_cast<int>(i);
            if (value(v).role != ValueRole::Input) {
                continue;
            }
            current(v) = add_value(v, caller_layout(value(v)));
            const bool as_wanted = !layout(v).has_halo() &&
                                   buffer_dimensions(value(v).extents, layout(v)) ==
                                       buffer_dimensions(value(v).extents, caller_layout(value(v)));
            if (!as_wanted && options_.owns_layouts) {
                const int from = current(v);
                current(v) = add_value(v, layout(v));
                convert(v, from, current(v));
            }
        }
    }

    // Copies value `v` from one of its planned values to another.
    void convert(int v, int from, int to) {
        const double cycles = copy_cycles(value(v), planned(from).layout.order,
                                          planned(to).layout.order, options_.machine);
        plan_.groups.push_back({GroupKind::Convert, {}, {from}, to, cycles});
    }

    // By operator: whether it will be a view where it is a group by itself (add_without_kernel), as far as
    // the layouts that values like to have tell.
    std::vector<bool> free_operators() const {
        std::vector<bool> free(graph_.operators.size(), false);
        for (size_t i = 0; options_.owns_layouts && i < free.size(); i++) {
            const PlannerOperator &op = graph_.operators[i];
            const int copied = copied_value(op);
            if (op.concatenation.axis >= 0) {
                free[i] = is_absorbed(static_cast<int>(i));
            } else if (is_written_in_place(op)) {
                free[i] = true;
            } else if (slice(op.result).whole >= 0) {
                free[i] = copied == slice(op.result).whole;
            } else {
                free[i] = op.type == MappingType::Reorganize && copied >= 0 &&
                          !value(op.result).is_output && is_reshaped(op, layout(copied));
            }
        }
        return free;
    }

    // A copy whose operand is written into the result's place.
    bool is_written_in_place(const PlannerOperator &op) const {
        const int copied = copied_value(op);
        return copied >= 0 && slice(copied).whole == op.result;
    }

    // Whether the result of a Reshape is the same bytes as its operand, which lies in `operand`.
    bool is_reshaped(const PlannerOperator &op, const Layout &operand) const {
        return lies_reshaped(value(copied_value(op)).extents, operand, value(op.result).extents,
                             layout(op.result));
    }

    // The operators that need no kernel where values lie well; false if this one does.
    bool add_without_kernel(const std::vector<int> &group) {
        if (!options_.owns_layouts) {
            return false;
        }
        const int index = group.front();
        const bool done = op(index).concatenation.axis >= 0    ? add_concatenation(index)
                          : is_written_in_place(op(index))     ? add_written_in_place(index)
                          : slice(op(index).result).whole >= 0 ? add_slice(index)
                                                               : add_reshape(index);
        return done;
    }

    void add_view(int index, std::vector<int> inputs) {
        plan_.groups.push_back({GroupKind::View, place_members(graph_, {{index}, {}}),
                                std::move(inputs), current(op(index).result)});
    }

    // Operands that have been written to their places in the result, and copies of the others.
    bool add_concatenation(int index) {
        if (!is_absorbed(index)) {
            return false;
        }
        const Concatenation &concatenation = op(index).concatenation;
        const int result = op(index).result;
        const int whole = home(result);
        const std::vector<int64_t> offsets = concatenation_offsets(graph_, concatenation);
        std::vector<int64_t> offset(value(result).extents.size(), 0);
        std::vector<int> inputs;
        for (size_t i = 0; i < offsets.size(); i++) {
            const int part = concatenation.values[i];
            offset[static_cast<size_t>(concatenation.axis)] = offsets[i];
            if (slice(part).whole == result && slice(part).offset == offset) {
                inputs.push_back(current(part));
                continue;
            }
            const Layout place =
                slice_of(planned(whole).layout, value(result).extents, offset, value(part).extents);
            inputs.push_back(add_value(part, place, whole));
            convert(part,
                    value(part).role == ValueRole::Constant ? constant(part, {}) : current(part),
                    inputs.back());
        }
        add_view(index, inputs);
        convert_output(result);
        return true;
    }

    bool add_written_in_place(int index) {
        add_view(index, {current(copied_value(op(index)))});
        convert_output(op(index).result);
        return true;
    }

    bool add_slice(int index) {
        const int result = op(index).result;
        const int whole = slice(result).whole;
        if (copied_value(op(index)) != whole) {
            return false;  // its memory is that of another reader's result
        }
        const Layout place = layout_of_slice(slice(result), planned(current(whole)).layout,
                                             value(whole).extents, value(result).extents);
        current(result) = add_value(result, place, current(whole));
        add_view(index, {current(whole)});
        return true;
    }

    // A Reshape and its like, where axes that are merged or split are neighbours in memory on both sides.
    bool add_reshape(int index) {
        const int copied = copied_value(op(index));
        const int result = op(index).result;
        if (op(index).type != MappingType::Reorganize || value(result).is_output || copied < 0 ||
            current(copied) < 0) {
            return false;
        }
        const int from = current(copied);
        if (!is_reshaped(op(index), planned(from).layout)) {
            return false;
        }
        // Of a Reshape of a Reshape both begin where the first one does: chains stay short.
        const bool shared = planned(from).alias_of >= 0 && !planned(from).layout.has_surroundings();
        current(result) = add_value(result, layout(result), shared ? planned(from).alias_of : from);
        add_view(index, {from});
        return true;
    }

    // The layout of constant `v` in a group: what a loop nest wants of it, if any does. There is one
    // for all who read it, because a group has one argument per tensor.
    Layout constant_layout(int v, const std::vector<int> &group) const {
        for (int index : group) {
            for (const Operand &operand : op(index).implementation.operands) {
                if (operand.value == v && !operand.constant_layout.order.empty()) {
                    return operand.constant_layout;
                }
            }
        }
        return caller_layout(value(v));
    }

    int constant(int v, const std::vector<int> &group) {
        const Layout wanted = constant_layout(v, group);
        for (int known : planned_[static_cast<size_t>(v)]) {
            if (planned(known).alias_of < 0 && planned(known).layout == wanted) {
                return known;
            }
        }
        return add_value(v, wanted);
    }

    void add_compute(const PlacedGroup &chosen, double cycles) {
        const std::vector<int> &group = chosen.members;
        PlannedGroup planned{GroupKind::Compute, place_members(graph_, chosen), {}, -1, cycles};
        std::set<int> made_inside, listed;
        for (int index : group) {
            for (const Operand &operand : op(index).implementation.operands) {
                if (made_inside.count(operand.value) != 0) {
                    continue;
                }
                const int input = value(operand.value).role == ValueRole::Constant
                                      ? constant(operand.value, group)
                                      : current(operand.value);
                assert(input >= 0);
                if (listed.insert(input).second) {
                    planned.inputs.push_back(input);
                }
            }
            made_inside.insert(op(index).result);
        }
        const int result = op(group.back()).result;
        planned.output = home(result);
        plan_.groups.push_back(std::move(planned));
        convert_output(result);
    }

    // An output that others read as well may lie as they like it; the caller gets a copy then.
    void convert_output(int result) {
        const int made = current(result);
        if (value(result).is_output && options_.owns_layouts &&
            !is_dense_row_major(value(result).extents, planned(made).layout)) {
            convert(result, made, add_value(result, caller_layout(value(result))));
        }
    }

    OperatorGraph graph_;  // with the order of every value
    const PlannerOptions &options_;
    const Policy &policy_;
    std::vector<Slice> slices_;              // per value
    std::vector<bool> movers_;               // per operator: its slices would begin at odd places
    std::vector<Layout> layouts_;            // per value: as it likes to lie
    std::vector<int> current_;               // per value: the planned value that readers get, or -1
    std::vector<std::vector<int>> planned_;  // per value: all its planned values
    Plan plan_;
};

}  // namespace

Plan build_plan(const OperatorGraph &graph, const PlannerOptions &options, const Policy &policy,
                const MoveWays &ways, CostSource &costs) {
    return PlanBuilder(graph, options, policy, ways).run(costs);
}

}  // namespace emulsion
