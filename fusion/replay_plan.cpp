#include "fusion/replay_plan.h"

#include <algorithm>
#include <map>
#include <set>

#include "fusion/build_plan.h"
#include "fusion/constant_blocks.h"
#include "fusion/cost/nest_price.h"
#include "fusion/error.h"
#include "fusion/legality.h"
#include "fusion/policy.h"
#include "fusion/preferred_orders.h"

namespace emulsion {

namespace {

std::string name_of(const PlannedGroup &group) {
    std::string name;
    for (const PlannedMember &member : group.members) {
        name += (name.empty() ? "" : "+") + member.op;
    }
    return "group '" + name + "' of the plan";
}

std::vector<std::string> operators_of(const PlannedGroup &group) {
    std::vector<std::string> names;
    for (const PlannedMember &member : group.members) {
        names.push_back(member.op);
    }
    return names;
}

// Checks the decisions of a plan against the graph that it is to be of, and makes them those of a policy.
class Replay {
public:
    Replay(const OperatorGraph &graph, const PlannerOptions &options, const Plan &wanted)
        : graph_(graph), options_(options), wanted_(wanted) {
        for (size_t i = 0; i < graph.operators.size(); i++) {
            index_of_[graph.operators[i].name] = static_cast<int>(i);
        }
    }

    Plan run() {
        find_groups();
        require_all_stored();
        require_legal();
        require_moves();
        const Policy policy{wanted_.policy, "", [&](const PolicyInput &) { return partition(); },
                            wanted_.absorbs_copies};
        const LaidOutGraph laid_out(graph_, layout_options(graph_, options_.machine, wanted_));
        Plan plan = build_plan(laid_out, options_, policy, *costs_of(options_));
        if (!plan.refusals.empty()) {
            throw Error(
                "operators '" + plan.refusals.front().producer + "' to '" +
                plan.refusals.front().consumer +
                "' can't be one group, as the plan has them: " + plan.refusals.front().reason);
        }
        take_nests(laid_out, plan);
        lay_out_constants(plan, laid_out.graph());
        require_values(plan);
        plan.implementations = wanted_.implementations;
        plan.refusals = wanted_.refusals;
        plan.duplications = wanted_.duplications;
        plan.search = wanted_.search;
        return plan;
    }

private:
    const PlannerOperator &op(int i) const { return graph_.operators[static_cast<size_t>(i)]; }

    int index(const std::string &name) const {
        const auto known = index_of_.find(name);
        if (known == index_of_.end()) {
            throw Error("the plan has operator '" + name + "', which the network has not");
        }
        return known->second;
    }

    void find_groups() {
        for (const PlannedGroup &group : wanted_.groups) {
            if (group.kind == GroupKind::Convert) {
                continue;
            }
            std::vector<int> members;
            for (const PlannedMember &member : group.members) {
                members.push_back(index(member.op));
            }
            if (members.empty()) {
                throw Error("the plan has a group without operators");
            }
            for (size_t i = 1; i < members.size(); i++) {
                if (members[i - 1] >= members[i]) {
                    throw Error("operators '" + group.members[i - 1].op + "' and '" +
                                group.members[i].op + "' of " + name_of(group) +
                                " aren't in the order in which they are computed");
                }
            }
            groups_.push_back(std::move(members));
        }
        std::stable_sort(groups_.begin(), groups_.end(),
                         [](const auto &a, const auto &b) { return a.back() < b.back(); });
    }

    // Every operator is computed, and whatever a group reads is stored by one.
    void require_all_stored() const {
        std::vector<int> computed(graph_.operators.size(), 0);
        std::set<int> stored;
        for (const std::vector<int> &group : groups_) {
            if (!stored.insert(group.back()).second) {
                throw Error("the plan has two groups that end in operator '" +
                            op(group.back()).name + "'");
            }
            for (const int member : group) {
                computed[static_cast<size_t>(member)]++;
            }
        }
        for (size_t i = 0; i < computed.size(); i++) {
            if (computed[i] == 0) {
                throw Error("the plan has no group that computes operator '" +
                            graph_.operators[i].name + "'");
            }
        }
        const std::vector<int> producers = graph_.producers();
        for (const std::vector<int> &group : groups_) {
            for (const int member : group) {
                for (const Operand &operand : op(member).implementation.operands) {
                    const int producer = producers[static_cast<size_t>(operand.value)];
                    if (producer >= 0 && stored.count(producer) == 0 &&
                        !std::binary_search(group.begin(), group.end(), producer)) {
                        throw Error("operator '" + op(member).name + "' reads the result of '" +
                                    op(producer).name + "', which no group of the plan stores");
                    }
                }
            }
        }
    }

    void require_legal() const {
        const std::vector<std::vector<int>> consumers = graph_.consumers();
        const std::vector<bool> duplicated = duplicated_operators(graph_, groups_);
        for (const std::vector<int> &group : groups_) {
            const std::string reason = illegal_because(graph_, consumers, group, duplicated);
            if (!reason.empty()) {
                throw Error("operators '" + op(group.front()).name + "' to '" +
                            op(group.back()).name +
                            "' can't be one group, as the plan has them: " + reason);
            }
        }
    }

    Partition partition() const {
        Partition result;
        result.groups = groups_;
        return result;
    }

    void require_moves() const {
        const std::vector<std::vector<int>> consumers = graph_.consumers();
        for (const PlannedMove &move : wanted_.moves) {
            const PlannerOperator &mover = op(index(move.op));
            if (move.way == MoveWay::Converted) {
                if (!makes_callers_result(graph_, mover, consumers)) {
                    throw Error("the plan converts what operator '" + move.op +
                                "' makes for the caller, but it makes nothing for it alone");
                }
            } else if (!only_moves(graph_, mover)) {
                throw Error("the plan says how operator '" + move.op +
                            "' moves axes, but it does more, or less, than that");
            }
        }
    }

    void take_nests(const LaidOutGraph &laid_out, Plan &plan) const {
        std::map<std::vector<std::string>, PlannedGroup *> made;
        for (PlannedGroup &group : plan.groups) {
            made[operators_of(group)] = &group;
        }
        for (const PlannedGroup &group : wanted_.groups) {
            const bool converts = group.kind == GroupKind::Convert;
            if (converts && group.members.empty()) {
                continue;  // with the loop nest that the planner chooses
            }
            const auto own = made.find(operators_of(group));
            if (own == made.end()) {
                throw Error(name_of(group) +
                            " converts a value for which no conversion is left to be made where "
                            "values lie as follows from the plan's groups; leave it out");
            }
            if (own->second->kind != group.kind) {
                throw Error(name_of(group) + " is " + word_for(own->second->kind) +
                            " where values lie as follows from the plan's groups");
            }
            take_nests(converts ? laid_out.copies() : laid_out.graph(), group, *own->second);
            made.erase(own);
        }
    }

    static std::string word_for(GroupKind kind) {
        return kind == GroupKind::View      ? "a view"
               : kind == GroupKind::Compute ? "computed"
                                            : "a conversion";
    }

    // `operators` are those that the groups' members are of.
    void take_nests(const OperatorGraph &operators, const PlannedGroup &wanted,
                    PlannedGroup &own) const {
        std::map<std::string, Nest> changed;
        for (size_t i = 0; i < own.members.size(); i++) {
            PlannedMember &member = own.members[i];
            if (take_nest(operators, wanted, wanted.members[i], has_panels(own), member)) {
                changed[member.op] = member.nest;
            }
        }
        if (!changed.empty()) {
            own.cycles = price_with_nests(operators, own, changed, options_.machine).cycles;
        }
    }

    // Whether it is another one than the planner's.
    bool take_nest(const OperatorGraph &operators, const PlannedGroup &group,
                   const PlannedMember &wanted, bool panels, PlannedMember &own) const {
        const std::string where = "operator '" + wanted.op + "' in " + name_of(group);
        if (wanted.implementation != own.implementation) {
            throw Error(where + " has implementation '" + wanted.implementation +
                        "'; here it has '" + own.implementation + "'");
        }
        if (!wanted.parts.empty() && (wanted.parts != own.parts || wanted.stage != own.stage ||
                                      wanted.order != own.order || wanted.cut != own.cut)) {
            throw Error(where + " is computed at other places than follow from the plan's "
                                "groups; leave out its parts");
        }
        if (wanted.nest.empty() || wanted.nest == own.nest) {
            return false;
        }
        const auto of =
            std::find_if(operators.operators.begin(), operators.operators.end(),
                         [&](const PlannerOperator &each) { return each.name == wanted.op; });
        const std::string reason = unlike(of->implementation.nest, own.nest, wanted.nest, panels);
        if (!reason.empty()) {
            throw Error(where + ": " + reason);
        }
        for (const auto &[name, value] : wanted.nest.parameters) {
            own.nest.parameters[name] = value;
        }
        return true;
    }

    static bool has_panels(const PlannedGroup &group) {
        return std::any_of(group.members.begin(), group.members.end(), [](const PlannedMember &m) {
            return !m.parts.empty() && m.parts.back().placement == Placement::Panel;
        });
    }

    // Why a nest can't stand in the place of the one that the planner made; empty if it can. On a GPU, panels are laid
    // out for the workgroups that the planner chooses from.
    std::string unlike(const NestSpace &space, const Nest &own, const Nest &wanted,
                       bool panels) const {
        if (own.empty()) {
            return "it has no loop nest of its own, but the plan gives it one";
        }
        if (wanted.template_name != own.template_name) {
            return "its loop nest is '" + own.template_name + "', and not '" +
                   wanted.template_name + "'";
        }
        Nest nest = own;
        for (const auto &[name, value] : wanted.parameters) {
            nest.parameters[name] = value;
        }
        const bool a_workgroup =
            std::any_of(space.points.begin(), space.points.end(), [&](const NestPoint &point) {
                return std::all_of(
                    point.nest.parameters.begin(), point.nest.parameters.end(),
                    [&](const auto &p) { return nest.parameters[p.first] == p.second; });
            });
        std::string reason = space.is_valid(nest);
        if (reason.empty() && options_.machine.is_gpu() && panels && !a_workgroup && nest != own) {
            return "its loop nest is none of those that a GPU's panels are planned for";
        }
        return reason;
    }

    // How long the blocks of constants are follows from nests, which may have been edited.
    static bool lies_alike(PlannedValue own, const PlannedValue &wanted) {
        if (own.layout.block_axis >= 0 && own.layout.block_axis == wanted.layout.block_axis) {
            own.layout.block = wanted.layout.block;
        }
        return own == wanted;
    }

    void require_values(const Plan &plan) const {
        if (wanted_.values.empty()) {
            return;
        }
        for (size_t v = 0; v < std::min(plan.values.size(), wanted_.values.size()); v++) {
            if (!lies_alike(plan.values[v], wanted_.values[v])) {
                throw Error("value '" + wanted_.values[v].name +
                            "' of the plan lies otherwise than follows from its groups; leave "
                            "out the values to have those that follow");
            }
        }
        bool same = plan.values.size() == wanted_.values.size() &&
                    plan.groups.size() == wanted_.groups.size();
        for (size_t g = 0; same && g < plan.groups.size(); g++) {
            same = plan.groups[g].kind == wanted_.groups[g].kind &&
                   plan.groups[g].inputs == wanted_.groups[g].inputs &&
                   plan.groups[g].output == wanted_.groups[g].output;
        }
        if (!same) {
            throw Error("values and groups of the plan don't fit together; leave out the values "
                        "to have those that follow from the groups");
        }
    }

    const OperatorGraph &graph_;
    const PlannerOptions &options_;
    const Plan &wanted_;
    std::map<std::string, int> index_of_;
    std::vector<std::vector<int>> groups_;  // in the order of their roots
};

}  // namespace

Plan replay_plan(const OperatorGraph &graph, const PlannerOptions &options, const Plan &wanted) {
    return Replay(graph, options, wanted).run();
}

}  // namespace emulsion
