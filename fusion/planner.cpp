#include "fusion/planner.h"

#include <algorithm>
#include <cassert>
#include <map>

#include "fusion/layouts.h"
#include "fusion/legality.h"
#include "fusion/policy.h"

namespace emulsion {

namespace {

// Groups that pass the legality check; one that fails is split into its members.
Partition legal_partition(const OperatorGraph &graph, Partition partition) {
    std::vector<std::vector<int>> groups;
    for (const std::vector<int> &group : partition.groups) {
        const std::string reason = illegal_because(graph, group);
        if (reason.empty()) {
            groups.push_back(group);
            continue;
        }
        for (int op : group) {
            groups.push_back({op});
        }
        const auto &first = graph.operators[static_cast<size_t>(group.front())].name;
        const auto &last = graph.operators[static_cast<size_t>(group.back())].name;
        partition.refusals.push_back({first, last, reason});
    }
    std::stable_sort(groups.begin(), groups.end(),
                     [](const auto &a, const auto &b) { return a.back() < b.back(); });
    partition.groups = std::move(groups);
    return partition;
}

// Members of a compute group: parts are placed where their templates want them, the root's result is
// stored. The loop nest is the anchor's: the last Many-to-Many member's, else the root's.
std::vector<PlannedMember> place_members(const OperatorGraph &graph,
                                         const std::vector<int> &group) {
    const auto is_anchor = [&](int index) {
        return graph.operators[static_cast<size_t>(index)].type == MappingType::ManyToMany;
    };
    const auto last = std::find_if(group.rbegin(), group.rend(), is_anchor);
    const int anchor = last == group.rend() ? group.back() : *last;
    std::vector<PlannedMember> members;
    for (int index : group) {
        const PlannerOperator &op = graph.operators[static_cast<size_t>(index)];
        const ImplementationChoice &implementation = op.implementations.front();
        PlannedMember member{op.name, implementation.name, {}, {}};
        for (const OperatorPart &part : implementation.parts) {
            const bool root = index == group.back() && part.part.empty();
            member.parts.push_back({part.part, root ? Placement::Root : part.placement});
        }
        if (index == anchor) {
            member.nest = implementation.nest.preferred();
        }
        members.push_back(std::move(member));
    }
    return members;
}

class Planner {
public:
    Planner(const OperatorGraph &graph, const PlannerOptions &options)
        : graph_(graph), options_(options), layouts_(preferred_layouts(graph)),
          current_(graph.values.size(), -1) {
        plan_.policy = options.policy;
        if (!options.owns_layouts) {
            for (size_t v = 0; v < layouts_.size(); v++) {
                layouts_[v].halo.clear();
                if (graph.values[v].role != ValueRole::Intermediate || graph.values[v].is_output) {
                    layouts_[v] = caller_layout(graph.values[v]);
                }
            }
        }
    }

    Plan run() {
        const Partition partition =
            legal_partition(graph_, find_policy(options_.policy).partition(graph_));
        plan_.refusals = partition.refusals;
        convert_inputs();
        for (const std::vector<int> &group : partition.groups) {
            if (!add_view(group)) {
                add_compute(group);
            }
        }
        return std::move(plan_);
    }

private:
    const Value &value(int v) const { return graph_.values[static_cast<size_t>(v)]; }
    const Layout &layout(int v) const { return layouts_[static_cast<size_t>(v)]; }
    int &current(int v) { return current_[static_cast<size_t>(v)]; }

    int add_value(int v, const Layout &in, int alias_of = -1) {
        plan_.values.push_back({value(v).name, in, alias_of});
        return static_cast<int>(plan_.values.size()) - 1;
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
                convert(v, layout(v));
            }
        }
    }

    void convert(int v, const Layout &to) {
        const int from = current(v);
        current(v) = add_value(v, to);
        plan_.groups.push_back({GroupKind::Convert, {}, {from}, current(v)});
    }

    // A Reshape and its like, where the order in memory is the flattened order on both sides.
    bool add_view(const std::vector<int> &group) {
        const PlannerOperator &op = graph_.operators[static_cast<size_t>(group.front())];
        if (!options_.owns_layouts || group.size() != 1 || op.type != MappingType::Reorganize ||
            value(op.result).is_output) {
            return false;
        }
        const auto &operands = op.implementations.front().operands;
        if (operands.size() != 1 || current(operands[0].value) < 0) {
            return false;
        }
        const int from = current(operands[0].value);
        const Layout &from_layout = plan_.values[static_cast<size_t>(from)].layout;
        if (!is_dense_row_major(value(operands[0].value).extents, from_layout) ||
            !is_dense_row_major(value(op.result).extents, layout(op.result))) {
            return false;
        }
        current(op.result) = add_value(op.result, layout(op.result), from);
        plan_.groups.push_back(
            {GroupKind::View, place_members(graph_, group), {from}, current(op.result)});
        return true;
    }

    // The layout of constant `v` in a group: what a loop nest wants of it, if any does. There is one
    // for all who read it, because a group has one argument per tensor.
    Layout constant_layout(int v, const std::vector<int> &group) const {
        for (int index : group) {
            const PlannerOperator &op = graph_.operators[static_cast<size_t>(index)];
            for (const Operand &operand : op.implementations.front().operands) {
                if (operand.value == v && !operand.constant_layout.order.empty()) {
                    return operand.constant_layout;
                }
            }
        }
        return caller_layout(value(v));
    }

    int constant(int v, const std::vector<int> &group) {
        const Layout wanted = constant_layout(v, group);
        for (size_t i = 0; i < plan_.values.size(); i++) {
            if (plan_.values[i].name == value(v).name && plan_.values[i].layout == wanted) {
                return static_cast<int>(i);
            }
        }
        return add_value(v, wanted);
    }

    void add_compute(const std::vector<int> &group) {
        PlannedGroup planned{GroupKind::Compute, place_members(graph_, group), {}, -1};
        std::vector<int> made_inside;
        for (int index : group) {
            const PlannerOperator &op = graph_.operators[static_cast<size_t>(index)];
            for (const Operand &operand : op.implementations.front().operands) {
                if (std::count(made_inside.begin(), made_inside.end(), operand.value) > 0) {
                    continue;
                }
                const int input = value(operand.value).role == ValueRole::Constant
                                      ? constant(operand.value, group)
                                      : current(operand.value);
                assert(input >= 0);
                if (std::count(planned.inputs.begin(), planned.inputs.end(), input) == 0) {
                    planned.inputs.push_back(input);
                }
            }
            made_inside.push_back(op.result);
        }
        const int result = graph_.operators[static_cast<size_t>(group.back())].result;
        const bool read_again = !graph_.consumers()[static_cast<size_t>(result)].empty();
        const bool straight_to_caller = value(result).is_output && !read_again;
        const Layout caller = caller_layout(value(result));
        planned.output = current(result) =
            add_value(result, straight_to_caller ? caller : layout(result));
        plan_.groups.push_back(std::move(planned));
        if (value(result).is_output && read_again && options_.owns_layouts) {
            plan_.groups.push_back(
                {GroupKind::Convert, {}, {current(result)}, add_value(result, caller)});
        }
    }

    const OperatorGraph &graph_;
    const PlannerOptions &options_;
    std::vector<Layout> layouts_;
    std::vector<int> current_;  // planned value that readers of a graph value get
    Plan plan_;
};

}  // namespace

Plan make_plan(const OperatorGraph &graph, const PlannerOptions &options) {
    return Planner(graph, options).run();
}

}  // namespace emulsion
