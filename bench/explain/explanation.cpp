#include "bench/explain/explanation.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <set>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "bench/explain/edges.h"
#include "fusion/mapping_type.h"

namespace emulsion {

namespace {

std::string storage_name(Storage storage) {
    switch (storage) {
    case Storage::Arena: return "arena";
    case Storage::Weights: return "weights";
    case Storage::Input: return "input";
    case Storage::Output: return "output";
    }
    return "";
}

std::string kind_name(GroupKind kind) {
    switch (kind) {
    case GroupKind::Compute: return "compute";
    case GroupKind::Convert: return "convert";
    case GroupKind::View: return "view";
    }
    return "";
}

// " 0 0 1 1+2": per axis, before and after where these differ.
std::string margins_text(const std::vector<Margin> &margins) {
    std::string text;
    for (const Margin &margin : margins) {
        text += margin.before == margin.after ? fmt::format(" {}", margin.before)
                                              : fmt::format(" {}+{}", margin.before, margin.after);
    }
    return text;
}

class Explainer {
public:
    explicit Explainer(const PlannedNetwork &network)
        : graph_(network.graph), network_(network), program_(place(network).program),
          work_(launch_work(network)) {}

    Explanation run() {
        result_.target = network_.target;
        result_.policy = network_.plan.policy;
        result_.operator_count = network_.operator_count;
        result_.arena_bytes = program_.arena_bytes;
        result_.live_bytes = program_.live_bytes;
        result_.weights_bytes = program_.weights_bytes;
        result_.search = network_.plan.search;
        add_operators();
        add_choices();
        for (const PlannedGroup &group : network_.plan.groups) {
            add_group(group);
        }
        for (const Refusal &refusal : network_.plan.refusals) {
            result_.refusals.push_back({model_name(refusal.producer), model_name(refusal.consumer),
                                        in_model_names(refusal.reason)});
        }
        add_duplications();
        add_edges();
        std::set<std::string> units;
        for (const Launch &launch : program_.launches) {
            units.insert(launch.unit);
        }
        result_.units = static_cast<int>(units.size());
        result_.launched = static_cast<int>(program_.launches.size());
        return std::move(result_);
    }

private:
    void add_operators() {
        for (size_t i = 0; i < network_.operators.operators.size(); i++) {
            const PlannerOperator &op = network_.operators.operators[i];
            index_of_[op.name] = static_cast<int>(i);
            ExplainedOperator explained{.name = graph_.nodes[i].name,
                                        .type = op.origin,
                                        .mapping = std::string(emulsion::to_string(op.type)),
                                        .implementation = op.implementation.name};
            result_.operators.push_back(std::move(explained));
        }
    }

    void add_choices() {
        for (const OperatorChoice &choice : network_.choices) {
            ExplainedChoice explained{choice.name, choice.type, choice.implementation, {}};
            for (const auto &[name, cycles] : choice.alone) {
                explained.alone_ms[name] = network_.machine.milliseconds(cycles);
            }
            result_.choices.push_back(std::move(explained));
        }
    }

    std::string model_name(const std::string &op) const {
        const auto found = index_of_.find(op);
        return found == index_of_.end() ? op
                                        : graph_.nodes[static_cast<size_t>(found->second)].name;
    }

    // A reason with the operators that it quotes under their names in the model.
    std::string in_model_names(const std::string &reason) const {
        std::string text;
        size_t at = 0;
        for (size_t open = reason.find('\''); open != std::string::npos;
             open = reason.find('\'', at)) {
            const size_t close = reason.find('\'', open + 1);
            if (close == std::string::npos) {
                break;
            }
            text += reason.substr(at, open + 1 - at) +
                    model_name(reason.substr(open + 1, close - open - 1)) + "'";
            at = close + 1;
        }
        return text + reason.substr(at);
    }

    ExplainedTensor tensor(int value, const std::string &storage) const {
        const auto index = static_cast<size_t>(value);
        const Tensor &source = graph_.tensor(network_.value_tensor[index]);
        const PlannedValue &planned = network_.plan.values[index];
        ExplainedTensor explained{.name = source.name,
                                  .type = std::string(emulsion::to_string(source.type)),
                                  .shape = source.extents(),
                                  .layout = planned.layout,
                                  .storage = storage,
                                  .view_of = ""};
        explained.bytes = source.element_count() * size_of(source.type);
        if (planned.alias_of < 0) {
            explained.allocated =
                allocated_elements(explained.shape, planned.layout) * size_of(source.type);
        } else {
            explained.view_of = network_.plan.values[static_cast<size_t>(planned.alias_of)].name;
        }
        return explained;
    }

    std::string storage_of(const Launch &launch, size_t argument) const {
        const auto view = static_cast<size_t>(launch.views.at(argument));
        return storage_name(program_.views[view].storage);
    }

    void add_group(const PlannedGroup &group) {
        ExplainedGroup explained;
        explained.kind = kind_name(group.kind);
        add_members(group, explained);
        if (group.kind == GroupKind::View) {
            for (const int input : group.inputs) {
                explained.inputs.push_back(tensor(input, "view"));
            }
            explained.output = tensor(group.output, "view");
            for (const int member : explained.members) {
                explained.label += (explained.label.empty() ? "" : "+") +
                                   result_.operators[static_cast<size_t>(member)].name;
            }
        } else {
            const Launch &launch = program_.launches[launch_];
            explained.launch = static_cast<int>(launch_);
            explained.label = launch.label;
            explained.unit = launch.unit;
            explained.work = work_[launch_];
            for (size_t i = 0; i < group.inputs.size(); i++) {
                explained.inputs.push_back(tensor(group.inputs[i], storage_of(launch, i)));
            }
            explained.output = tensor(group.output, storage_of(launch, group.inputs.size()));
            result_.bytes_moved += explained.work.bytes_read + explained.work.bytes_written;
            result_.multiply_adds += explained.work.multiply_adds;
            explained.predicted_ms = network_.machine.milliseconds(group.cycles);
            result_.predicted_ms += explained.predicted_ms;
            launch_++;
        }
        result_.groups.push_back(std::move(explained));
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
            op.multiply_adds = network_.operators.operators[static_cast<size_t>(index)]
                                   .implementation.multiply_adds;
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
        for (const PlannedDuplication &duplication : network_.plan.duplications) {
            ExplainedDuplication explained;
            for (const std::string &op : duplication.ops) {
                explained.members.push_back(index_of_.at(op));
            }
            explained.predicted_won_ms = network_.machine.milliseconds(duplication.cycles_won);
            result_.duplications.push_back(std::move(explained));
        }
    }

    void add_edges() {
        result_.edges = explain_edges(graph_, network_, result_);
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

    const Graph &graph_;
    const PlannedNetwork &network_;
    const Program program_;
    const std::vector<LaunchWork> work_;
    std::map<std::string, int> index_of_;  // of the planner's operator
    size_t launch_ = 0;
    Explanation result_;
};

}  // namespace

double Explanation::fusion_ratio() const {
    return static_cast<double>(operator_count) / std::max(launched, 1);
}

const std::string &ExplainedGroup::what() const {
    return kind != "compute" || nests.empty() || nests.back().nest.empty()
               ? kind
               : nests.back().nest.template_name;
}

Explanation explain_network(const PlannedNetwork &network) { return Explainer(network).run(); }

std::string to_string(Placement placement) {
    switch (placement) {
    case Placement::Inline: return "inline";
    case Placement::Register: return "register";
    case Placement::Panel: return "panel";
    case Placement::Whole: return "whole";
    case Placement::Root: return "root";
    }
    return "";
}

std::string describe(const Layout &layout) {
    const int rank = static_cast<int>(layout.order.size());
    std::vector<int> channels_last = row_major(rank).order;
    if (rank > 2) {
        channels_last.erase(channels_last.begin() + 1);
        channels_last.push_back(1);
    }
    std::string text = layout.order == row_major(rank).order ? "row-major"
                       : layout.order == channels_last
                           ? "channels last"
                           : fmt::format("order {}", fmt::join(layout.order, " "));
    if (layout.block_axis >= 0) {
        text += fmt::format(", axis {} in blocks of {}", layout.block_axis, layout.block);
    }
    if (layout.has_halo()) {
        text += ", halo" + margins_text(layout.halo) + " of ";
        text += std::isfinite(layout.fill) ? fmt::format("{}", layout.fill) : "lowest";
    }
    if (layout.has_surroundings()) {
        text += ", around it" + margins_text(layout.around);
    }
    return text;
}

std::string describe(const Nest &nest) {
    std::string text = nest.template_name;
    for (const auto &[name, value] : nest.parameters) {
        text += fmt::format(" {}={}", name, value);
    }
    return text;
}

std::string describe(const std::string &type, const std::vector<int64_t> &shape) {
    return type + " " + (shape.empty() ? "scalar" : fmt::format("{}", fmt::join(shape, "x")));
}

std::string describe(const Explanation &explanation, const ExplainedDuplication &duplication) {
    std::vector<std::string> names;
    std::set<int> groups;
    for (const int member : duplication.members) {
        const ExplainedOperator &op = explanation.operators[static_cast<size_t>(member)];
        names.push_back(op.name);
        groups.insert(op.groups.begin(), op.groups.end());
    }
    std::vector<std::string> numbers;
    for (const int group : groups) {
        numbers.push_back(explanation.groups[static_cast<size_t>(group)].number());
    }
    return fmt::format("{} in groups {}", fmt::join(names, ", "), fmt::join(numbers, ", "));
}

std::string describe_placement(const ExplainedGroup &group, int op) {
    std::string text;
    for (const ExplainedPlacement &place : group.placement) {
        if (place.op == op) {
            text += fmt::format("{}{} {}", text.empty() ? "" : ", ",
                                place.part.empty() ? "result" : place.part, place.placement);
        }
    }
    return text;
}

}  // namespace emulsion
