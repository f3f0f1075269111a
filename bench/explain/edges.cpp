#include "bench/explain/edges.h"

#include <algorithm>
#include <map>
#include <set>
#include <utility>

#include <fmt/format.h>

namespace emulsion {

namespace {

// A reason in the plan's words, or one that can be read off the groups.
class Reasons {
public:
    Reasons(const Explanation &explained, const std::vector<ExplainedEdge> &edges)
        : explained_(explained), readers_(explained.groups.size()) {
        for (const Refusal &refusal : explained.refusals) {
            std::string &text = recorded_[{refusal.producer, refusal.consumer}];
            if (text.empty()) {
                text = refusal.reason;
            }
        }
        for (const ExplainedEdge &edge : edges) {
            if (edge.between_groups()) {
                readers_[static_cast<size_t>(edge.from)].insert(edge.to);
                groups_reading_[edge.tensor].insert(edge.to);
            }
        }
    }

    std::string of(const ExplainedEdge &edge, bool is_output) const {
        const auto found = recorded_.find({name(edge.producer), name(edge.consumer)});
        if (found != recorded_.end() && !found->second.empty()) {
            return found->second;
        }
        if (!group(edge.from).launched()) {
            return "the producer moves no data: it is a view, which no kernel computes";
        }
        if (!group(edge.to).launched()) {
            return "the consumer moves no data: it is a view, which no kernel computes";
        }
        if (is_output) {
            return "the value is an output of the network, which has to be in memory";
        }
        if (leads_round(edge.from, edge.to)) {
            return "what lies on another way from the producer to the consumer is in neither group";
        }
        if (const size_t count = groups_reading_.at(edge.tensor).size(); count > 1) {
            return fmt::format("the value is read by {} groups", count);
        }
        return fmt::format("policy '{}' records no reason", explained_.policy);
    }

private:
    const std::string &name(int op) const {
        return explained_.operators[static_cast<size_t>(op)].name;
    }
    const ExplainedGroup &group(int g) const { return explained_.groups[static_cast<size_t>(g)]; }

    // Whether a path of two edges or more leads from group to group. Groups are in execution order.
    bool leads_round(int from, int to) const {
        std::vector<int> todo;
        std::set<int> seen;
        const auto visit = [&](int g) {
            for (const int reader : readers_[static_cast<size_t>(g)]) {
                if (reader <= to && !(g == from && reader == to) && seen.insert(reader).second) {
                    todo.push_back(reader);
                }
            }
        };
        visit(from);
        while (!todo.empty() && seen.count(to) == 0) {
            const int g = todo.back();
            todo.pop_back();
            visit(g);
        }
        return seen.count(to) != 0;
    }

    const Explanation &explained_;
    std::map<std::pair<std::string, std::string>, std::string> recorded_;
    std::vector<std::set<int>> readers_;                   // of each group's results
    std::map<std::string, std::set<int>> groups_reading_;  // each tensor
};

class EdgeFinder {
public:
    EdgeFinder(const OperatorGraph &graph, const Plan &plan, const PlanNames &names,
               const Explanation &explained)
        : graph_(graph), plan_(plan), names_(names), explained_(explained),
          producers_(graph.producers()) {
        for (size_t g = 0; g < plan.groups.size(); g++) {
            if (plan.groups[g].kind == GroupKind::Convert) {
                const PlannedValue &copy = planned(plan.groups[g].output);
                copies_[copy.name].emplace_back(plan.groups[g].output, static_cast<int>(g));
            }
        }
    }

    std::vector<ExplainedEdge> run() {
        for (size_t i = 0; i < graph_.operators.size(); i++) {
            std::set<int> seen;
            for (const Operand &operand : graph_.operators[i].implementation.operands) {
                if (value(operand.value).role != ValueRole::Constant &&
                    seen.insert(operand.value).second) {
                    add(operand.value, static_cast<int>(i));
                }
            }
        }
        for (size_t v = 0; v < graph_.values.size(); v++) {
            if (graph_.values[v].is_output) {
                add(static_cast<int>(v), -1);
            }
        }
        const Reasons reasons(explained_, edges_);
        for (size_t i = 0; i < edges_.size(); i++) {
            if (edges_[i].between_groups()) {
                edges_[i].reason = reasons.of(edges_[i], value(values_[i]).is_output);
            }
        }
        return std::move(edges_);
    }

private:
    const Value &value(int v) const { return graph_.values[static_cast<size_t>(v)]; }
    const PlannedValue &planned(int v) const { return plan_.values[static_cast<size_t>(v)]; }

    // An edge to every group that computes the consumer, or to the caller (-1).
    void add(int v, int consumer) {
        const PlanNames::Tensor &tensor = names_.values[static_cast<size_t>(v)];
        ExplainedEdge edge{.producer = producers_[static_cast<size_t>(v)],
                           .consumer = consumer,
                           .tensor = tensor.name,
                           .type = tensor.type,
                           .shape = value(v).extents,
                           .bytes = element_count(value(v).extents) * value(v).element_bytes,
                           .reason = ""};
        std::vector<int> readers = groups_of(consumer);
        readers.resize(std::max<size_t>(readers.size(), 1), -1);
        for (const int reader : readers) {
            edge.to = reader;
            edge.from = is_member(edge.producer, edge.to) ? edge.to : group_of(edge.producer);
            edge.conversion = edge.from != edge.to || edge.from < 0 ? conversion(v, edge.to) : -1;
            edges_.push_back(edge);
            values_.push_back(v);
        }
    }

    std::vector<int> groups_of(int op) const {
        return op < 0 ? std::vector<int>() : explained_.operators[static_cast<size_t>(op)].groups;
    }

    int group_of(int op) const {
        return op < 0 ? -1 : explained_.operators[static_cast<size_t>(op)].group();
    }

    bool is_member(int op, int group) const {
        if (op < 0 || group < 0) {
            return false;
        }
        const std::vector<int> &members = explained_.groups[static_cast<size_t>(group)].members;
        return std::find(members.begin(), members.end(), op) != members.end();
    }

    // The group that copies the value into the layout in which `reader`, or the caller (-1), has it.
    int conversion(int v, int reader) const {
        const auto copies = copies_.find(value(v).name);
        if (copies == copies_.end()) {
            return -1;
        }
        for (const auto &[copy, group] : copies->second) {
            if (reader >= 0 ? reads(reader, copy)
                            : is_dense_row_major(value(v).extents, planned(copy).layout)) {
                return group;
            }
        }
        return -1;
    }

    bool reads(int group, int planned_value) const {
        const std::vector<int> &inputs = plan_.groups[static_cast<size_t>(group)].inputs;
        return std::find(inputs.begin(), inputs.end(), planned_value) != inputs.end();
    }

    const OperatorGraph &graph_;
    const Plan &plan_;
    const PlanNames &names_;
    const Explanation &explained_;
    const std::vector<int> producers_;
    // Planned values that are copies, and the groups that make them, by the value's name.
    std::map<std::string, std::vector<std::pair<int, int>>> copies_;
    std::vector<ExplainedEdge> edges_;
    std::vector<int> values_;  // of the edges
};

}  // namespace

std::vector<ExplainedEdge> explain_edges(const OperatorGraph &graph, const Plan &plan,
                                         const PlanNames &names, const Explanation &explained) {
    return EdgeFinder(graph, plan, names, explained).run();
}

}  // namespace emulsion
