#include "fusion/build_plan.h"

#include <algorithm>
#include <cassert>
#include <set>

#include "fusion/legality.h"
#include "fusion/place_members.h"
#include "fusion/preferred_orders.h"

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
    PlanBuilder(const LaidOutGraph &laid_out, const PlannerOptions &options, const Policy &policy)
        : laid_out_(laid_out), graph_(laid_out.graph()), options_(options), policy_(policy),
          current_(graph_.values.size(), -1), planned_(graph_.values.size()) {
        plan_.policy = policy.name;
        plan_.absorbs_copies = laid_out.options().absorbs_copies;
        const MoveWays &ways = laid_out.options().ways;
        const std::vector<std::vector<int>> consumers = graph_.consumers();
        for (size_t i = 0; plan_.absorbs_copies && i < ways.size(); i++) {
            const bool has_it = ways[i] == MoveWay::Converted
                                    ? makes_callers_result(graph_, graph_.operators[i], consumers)
                                    : only_moves(graph_, graph_.operators[i]);
            if (has_it && ways[i] != MoveWay::Free) {
                plan_.moves.push_back({graph_.operators[i].name, ways[i]});
            }
        }
    }

    Plan run(CostSource &costs) {
        const std::vector<bool> free = laid_out_.free_operators();
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
        copy_cost_ = costs.cost_of(laid_out_.copies(), {});
        add_inputs();
        for (const auto &[group, cycles] : groups) {
            if (const int only = group.members.front();
                group.members.size() == 1 && laid_out_.view(only) != ViewKind::None) {
                add_view(only);
            } else {
                add_compute(group, cycles);
            }
        }
        return std::move(plan_);
    }

private:
    const PlannerOperator &op(int i) const { return graph_.operators[static_cast<size_t>(i)]; }
    const Value &value(int v) const { return graph_.values[static_cast<size_t>(v)]; }
    int &current(int v) { return current_[static_cast<size_t>(v)]; }

    int add_value(int v, const Layout &in, int alias_of = -1) {
        plan_.values.push_back({value(v).name, in, alias_of});
        const int index = static_cast<int>(plan_.values.size()) - 1;
        planned_[static_cast<size_t>(v)].push_back(index);
        return index;
    }

    // The planned value in which graph value `v` lies while operators read it. One that lies in the memory of another
    // comes after that, which is made here if need be.
    int home(int v) {
        std::vector<int> chain{v};
        while (laid_out_.whole(chain.back()) >= 0 && current(chain.back()) < 0) {
            chain.push_back(laid_out_.whole(chain.back()));
        }
        for (auto it = chain.rbegin(); it != chain.rend(); ++it) {
            if (current(*it) < 0) {
                const int whole = laid_out_.whole(*it);
                current(*it) =
                    add_value(*it, laid_out_.layout(*it), whole < 0 ? -1 : current(whole));
            }
        }
        return current(v);
    }

    void add_inputs() {
        for (size_t i = 0; i < graph_.values.size(); i++) {
            const int v = static_cast<int>(i);
            if (value(v).role != ValueRole::Input) {
                continue;
            }
            if (const int conversion = laid_out_.input_conversion(v); conversion >= 0) {
                const int callers = add_value(v, laid_out_.conversion(conversion).from);
                convert(conversion, callers, home(v));
            } else {
                home(v);
            }
        }
    }

    void convert(int conversion, int from, int to) {
        GroupPrice price = copy_cost_->price({conversion});
        assert(price.refused.empty());
        plan_.groups.push_back(
            {GroupKind::Convert,
             place_members(laid_out_.copies(), {{conversion}, std::move(price.placement)}),
             {from},
             to,
             price.cycles});
    }

    void add_view(int index) {
        const int result = op(index).result;
        std::vector<int> inputs;
        switch (laid_out_.view(index)) {
        case ViewKind::None: assert(false); return;
        case ViewKind::Concatenate: inputs = parts_in_place(index); break;
        case ViewKind::Write: inputs = {current(copied_value(op(index)))}; break;
        case ViewKind::Slice:
            inputs = {current(copied_value(op(index)))};
            home(result);
            break;
        case ViewKind::Reshape: {
            const int from = current(copied_value(op(index)));
            // Of a Reshape of a Reshape both begin where the first one does: chains stay short.
            const PlannedValue &operand = plan_.values[static_cast<size_t>(from)];
            const bool shared = operand.alias_of >= 0 && !operand.layout.has_surroundings();
            current(result) =
                add_value(result, laid_out_.layout(result), shared ? operand.alias_of : from);
            inputs = {from};
        }
        }
        plan_.groups.push_back({GroupKind::View, place_members(graph_, {{index}, {}}),
                                std::move(inputs), current(result)});
        convert_output(result);
    }

    // The operands of a concatenation, which have been written to their places in the result or are copied there.
    std::vector<int> parts_in_place(int index) {
        const int whole = home(op(index).result);
        std::vector<int> inputs;
        for (const auto &[part, conversion] : laid_out_.parts(index)) {
            if (conversion < 0) {
                inputs.push_back(current(part));
                continue;
            }
            inputs.push_back(add_value(part, laid_out_.conversion(conversion).to, whole));
            convert(conversion,
                    value(part).role == ValueRole::Constant ? constant(part, {}) : current(part),
                    inputs.back());
        }
        return inputs;
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
            if (plan_.values[static_cast<size_t>(known)].alias_of < 0 &&
                plan_.values[static_cast<size_t>(known)].layout == wanted) {
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

    void convert_output(int result) {
        if (const int conversion = laid_out_.output_conversion(result); conversion >= 0) {
            convert(conversion, current(result),
                    add_value(result, laid_out_.conversion(conversion).to));
        }
    }

    const LaidOutGraph &laid_out_;
    const OperatorGraph &graph_;
    const PlannerOptions &options_;
    const Policy &policy_;
    std::unique_ptr<GroupCost> copy_cost_;   // of laid_out_.copies()
    std::vector<int> current_;               // per value: the planned value that readers get, or -1
    std::vector<std::vector<int>> planned_;  // per value: all its planned values
    Plan plan_;
};

}  // namespace

Plan build_plan(const LaidOutGraph &laid_out, const PlannerOptions &options, const Policy &policy,
                CostSource &costs) {
    return PlanBuilder(laid_out, options, policy).run(costs);
}

}  // namespace emulsion
