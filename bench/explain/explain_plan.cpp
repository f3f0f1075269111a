#include "bench/explain/explain_plan.h"

#include <map>
#include <set>
#include <utility>

#include <fmt/format.h>

#include "bench/explain/edges.h"
#include "fusion/mapping_type.h"

namespace emulsion {

namespace {

std::string kind_name(GroupKind kind) {
    switch (kind) {
    case GroupKind::Compute: return "compute";
    case GroupKind::Convert: return "convert";
    case GroupKind::View: return "view";
    }
    return "";
}

class Explainer {
public:
    Explainer(const OperatorGraph &graph, const Plan &plan, const Machine &machine,
              const PlanNames &names)
        : graph_(graph), plan_(plan), machine_(machine), names_(names) {
        for (size_t v = 0; v < graph.values.size(); v++) {
            value_named_[graph.values[v].name] = v;
        }
    }

    Explanation run(const std::vector<OperatorChoice> &choices) {
        result_.policy = plan_.policy;
        result_.threads = machine_.cores();
        result_.operator_count = static_cast<int>(graph_.operators.size());
        result_.search = plan_.search;
        add_operators();
        add_choices(choices);
        for (const PlannedGroup &group : plan_.groups) {
            add_group(group);
        }
        for (const Refusal &refusal : plan_.refusals) {
            result_.refusals.push_back({known_name(refusal.producer), known_name(refusal.consumer),
                                        in_known_names(refusal.reason)});
        }
        add_duplications();
        add_edges();
        return std::move(result_);
    }

private:
    double milliseconds(double cycles) const { return machine_.milliseconds(cycles); }

    void add_operators() {
        for (size_t i = 0; i < graph_.operators.size(); i++) {
            const PlannerOperator &op = graph_.operators[i];
            index_of_[op.name] = static_cast<int>(i);
            ExplainedOperator explained{.name = names_.operators[i],
                                        .type = op.origin,
                                        .mapping = std::string(emulsion::to_string(op.type)),
                                        .implementation = op.implementation.name};
            result_.operators.push_back(std::move(explained));
        }
    }

    void add_choices(const std::vector<OperatorChoice> &choices) {
        for (const OperatorChoice &choice : choices) {
            ExplainedChoice explained{choice.name, choice.type, choice.implementation, {}};
            for (const auto &[name, cycles] : choice.alone) {
                explained.alone_ms[name] = milliseconds(cycles);
            }
            result_.choices.push_back(std::move(explained));
        }
    }

    std::string known_name(const std::string &op) const {
        const auto found = index_of_.find(op);
        return found == index_of_.end() ? op : names_.operators[static_cast<size_t>(found->second)];
    }

    // A reason with the operators that it quotes under the names that people know.
    std::string in_known_names(const std::string &reason) const {
        std::string text;
        size_t at = 0;
        for (size_t open = reason.find('\''); open != std::string::npos;
             open = reason.find('\'', at)) {
            const size_t close = reason.find('\'', open + 1);
            if (close == std::string::npos) {
                break;
            }
            text += reason.substr(at, open + 1 - at) +
                    known_name(reason.substr(open + 1, close - open - 1)) + "'";
            at = close + 1;
        }
        return text + reason.substr(at);
    }

    // Index of the graph's value that a planned one is.
    size_t value_of(int planned) const {
        return value_named_.at(plan_.values[static_cast<size_t>(planned)].name);
    }

    static std::string storage_of(const Value &value) {
        return value.role == ValueRole::Constant ? "weights"
               : value.role == ValueRole::Input  ? "input"
               : value.is_output                 ? "output"
                                                 : "arena";
    }

    ExplainedTensor tensor(int planned, bool is_view) const {
        const size_t index = value_of(planned);
        const Value &value = graph_.values[index];
        const PlannedValue &lies = plan_.values[static_cast<size_t>(planned)];
        ExplainedTensor explained{.name = names_.values[index].name,
                                  .type = names_.values[index].type,
                                  .shape = value.extents,
                                  .layout = lies.layout,
                                  .storage = is_view ? "view" : storage_of(value),
                                  .view_of = ""};
        explained.bytes = element_count(value.extents) * value.element_bytes;
        if (lies.alias_of < 0) {
            explained.allocated =
                allocated_elements(explained.shape, lies.layout) * value.element_bytes;
        } else {
            explained.view_of = names_.values[value_of(lies.alias_of)].name;
        }
        return explained;
    }

    std::string label_of(const PlannedGroup &group, const ExplainedGroup &explained) const {
        if (group.kind == GroupKind::Convert) {
            return "layout of " + names_.values[value_of(group.inputs.at(0))].name;
        }
        std::string label;
        for (const int member : explained.members) {
            label += (label.empty() ? "" : "+") + name(member);
        }
        return label;
    }

    void add_group(const PlannedGroup &group) {
        ExplainedGroup explained;
        explained.kind = kind_name(group.kind);
        add_members(group, explained);
        explained.label = label_of(group, explained);
        const bool is_view = group.kind == GroupKind::View;
        for (const int input : group.inputs) {
            explained.inputs.push_back(tensor(input, is_view));
        }
        explained.output = tensor(group.output, is_view);
        if (!is_view) {
            add_launch(group, explained);
        }
        result_.groups.push_back(std::move(explained));
    }

    void add_launch(const PlannedGroup &group, ExplainedGroup &explained) {
        explained.launch = result_.launched++;
        for (const ExplainedTensor &input : explained.inputs) {
            explained.work.bytes_read += input.bytes;
        }
        explained.work.bytes_written = explained.output.bytes;
        for (const int member : explained.members) {
            explained.work.multiply_adds +=
                result_.operators[static_cast<size_t>(member)].multiply_adds;
        }
        result_.bytes_moved += explained.work.bytes_read + explained.work.bytes_written;
        result_.multiply_adds += explained.work.multiply_adds;
        explained.predicted_ms = milliseconds(group.cycles);
        result_.predicted_ms += explained.predicted_ms;
    }

    void add_members(const PlannedGroup &group, ExplainedGroup &explained) {
        if (group.kind == GroupKind::Convert) {  // a copy, which is no operator of the network
            explained.nests.push_back({group.members.front().nest, {}});
            return;
        }
        for (const PlannedMember &member : group.members) {
            const int index = index_of_.at(member.op);
            ExplainedOperator &op = result_.operators[static_cast<size_t>(index)];
            const bool root = &member == &group.members.back();
            op.groups.insert(root ? op.groups.begin() : op.groups.end(),
                             static_cast<int>(result_.groups.size()));
            op.multiply_adds =
                graph_.operators[static_cast<size_t>(index)].implementation.multiply_adds;
            explained.members.push_back(index);
            for (const PlannedPart &part : member.parts) {
                explained.placement.push_back({index, part.part, to_string(part.placement)});
            }
            add_to_nest(member, index, explained);
        }
    }

    static void add_to_nest(const PlannedMember &member, int index, ExplainedGroup &explained) {
        const auto stage = static_cast<size_t>(member.stage);
        if (explained.nests.size() <= stage) {
            explained.nests.resize(stage + 1);
        }
        explained.nests[stage].members.push_back(index);
        if (!member.nest.empty()) {
            explained.nests[stage].nest = member.nest;
        }
    }

    void add_duplications() {
        for (const PlannedDuplication &duplication : plan_.duplications) {
            ExplainedDuplication explained;
            for (const std::string &op : duplication.ops) {
                explained.members.push_back(index_of_.at(op));
            }
            explained.predicted_won_ms = milliseconds(duplication.cycles_won);
            result_.duplications.push_back(std::move(explained));
        }
    }

    void add_edges() {
        result_.edges = explain_edges(graph_, plan_, names_, result_);
        std::set<std::pair<std::string, std::string>> known;
        for (const Refusal &refusal : result_.refusals) {
            known.emplace(refusal.producer, refusal.consumer);
        }
        for (const ExplainedEdge &edge : result_.edges) {
            if (edge.between_groups()) {
                const std::string &producer = name(edge.producer), &consumer = name(edge.consumer);
                if (known.emplace(producer, consumer).second) {
                    result_.refusals.push_back({producer, consumer, edge.reason});
                }
            }
        }
    }

    const std::string &name(int op) const {
        return result_.operators[static_cast<size_t>(op)].name;
    }

    const OperatorGraph &graph_;
    const Plan &plan_;
    const Machine &machine_;
    const PlanNames &names_;
    std::map<std::string, size_t> value_named_;  // of the graph's values
    std::map<std::string, int> index_of_;        // of the planner's operator
    Explanation result_;
};

}  // namespace

PlanNames own_names(const OperatorGraph &graph) {
    PlanNames names;
    for (const PlannerOperator &op : graph.operators) {
        names.operators.push_back(op.name);
    }
    for (const Value &value : graph.values) {
        names.values.push_back({value.name, fmt::format("{}-byte", value.element_bytes)});
    }
    return names;
}

Explanation explain_plan(const OperatorGraph &graph, const Plan &plan, const Machine &machine,
                         const PlanNames &names, const std::vector<OperatorChoice> &choices) {
    return Explainer(graph, plan, machine, names).run(choices);
}

Explanation explain_problem(const Problem &problem, const PlannedProblem &planned,
                            const Machine &machine, const PlanNames &names) {
    return explain_plan(planned.decided.graph, planned.plan, machine, names,
                        choices_of(problem, planned));
}

}  // namespace emulsion
