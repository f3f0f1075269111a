#include "frontend/lower/network.h"

#include <algorithm>
#include <map>

#include <fmt/format.h>

#include "frontend/lower/analyze_network.h"
#include "frontend/lower/check_operators.h"
#include "frontend/lower/make_unit.h"
#include "frontend/lower/nest_predictor.h"
#include "frontend/lower/structure_hash.h"
#include "frontend/lower/target.h"
#include "frontend/lower/tuned_nests.h"
#include "frontend/ops/operator.h"
#include "fusion/laid_out_graph.h"
#include "fusion/planner.h"
#include "fusion/policy.h"
#include "fusion/replay_plan.h"

namespace emulsion {

namespace {

std::string label_of(const Graph &graph, const std::vector<int> &nodes) {
    std::string label;
    for (int node : nodes) {
        label += (label.empty() ? "" : "+") + graph.nodes[static_cast<size_t>(node)].name;
    }
    return label;
}

bool counts_as_operator(const Node &node) {
    return node.operator_type != "Identity" && node.operator_type != "Dropout" &&
           node.operator_type != "Constant";
}

// Of the planned values.
std::vector<TensorId> tensors_of(const PlannedNetwork &network,
                                 const std::vector<TensorId> &value_tensor) {
    std::map<std::string, TensorId> tensor_named;
    for (size_t v = 0; v < network.operators.values.size(); v++) {
        tensor_named[network.operators.values[v].name] = value_tensor[v];
    }
    std::vector<TensorId> tensors;
    for (const PlannedValue &value : network.plan.values) {
        tensors.push_back(tensor_named.at(value.name));
    }
    return tensors;
}

PlannedLaunch conversion(const PlannedNetwork &network, const PlannedGroup &group) {
    const auto from = static_cast<size_t>(group.inputs.at(0));
    const Tensor &tensor = network.graph.tensor(network.value_tensor[from]);
    PlannedLaunch launch;
    launch.unit = make_convert_unit(tensor, network.plan, group);
    launch.label = "layout of " + tensor.name;
    return launch;
}

std::vector<PlannedLaunch> launches_of(const PlannedNetwork &network, const TargetChoice &target,
                                       bool checked) {
    std::map<std::string, int> node_named;
    for (size_t i = 0; i < network.operators.operators.size(); i++) {
        node_named[network.operators.operators[i].name] = static_cast<int>(i);
    }
    std::vector<PlannedLaunch> launches;
    for (const PlannedGroup &group : network.plan.groups) {
        if (group.kind == GroupKind::View) {
            continue;
        }
        PlannedLaunch launch;
        if (group.kind == GroupKind::Convert) {
            launch = conversion(network, group);
        } else {
            std::vector<int> nodes;
            for (const PlannedMember &member : group.members) {
                nodes.push_back(node_named.at(member.op));
            }
            launch.unit =
                make_compute_unit(network.graph, nodes, network.plan, group, network.value_tensor);
            launch.label = label_of(network.graph, nodes);
        }
        launch.inputs = group.inputs;
        launch.output = group.output;
        launch.unit.target = target.halide;
        launch.unit.chips = target.chips;
        launch.unit.checked = checked;
        launches.push_back(std::move(launch));
    }
    return launches;
}

std::string names_of(const std::vector<Alternative> &alternatives) {
    std::string names;
    for (const Alternative &each : alternatives) {
        names += (names.empty() ? "" : ", ") + each.name;
    }
    return names;
}

std::map<int, int> forced_alternatives(const NetworkAnalysis &analysis,
                                       const std::map<std::string, std::string> &wanted,
                                       const std::string &who) {
    std::map<int, int> forced;
    const std::vector<ProblemOperator> &operators = analysis.problem.operators;
    for (const auto &[name, implementation] : wanted) {
        const auto op = std::find_if(operators.begin(), operators.end(),
                                     [&](const auto &each) { return each.name == name; });
        if (op == operators.end()) {
            throw Error(fmt::format(
                "{} names '{}', which is no operator of the model; explain lists them", who, name));
        }
        const auto index = static_cast<int>(op - operators.begin());
        const int alternative = analysis.problem.alternative(index, implementation);
        if (alternative < 0) {
            throw Error("'" + implementation + "' is no implementation of it here; it has " +
                            names_of(op->alternatives),
                        analysis.graph.nodes[static_cast<size_t>(index)].place());
        }
        forced[index] = alternative;
    }
    return forced;
}

PlannedProblem made_again(const NetworkAnalysis &analysis, const PlannerOptions &options,
                          const Plan &wanted) {
    std::map<std::string, std::string> implementations;
    for (const PlannedImplementation &each : wanted.implementations) {
        implementations[each.op] = each.implementation;
    }
    PlannedProblem planned;
    planned.decisions.resize(analysis.problem.operators.size(), 0);
    for (const auto &[op, alternative] :
         forced_alternatives(analysis, implementations, "the plan")) {
        planned.decisions[static_cast<size_t>(op)] = alternative;
    }
    planned.decided = decide(analysis.problem, planned.decisions);
    planned.plan = replay_plan(planned.decided.graph, options, wanted);
    planned.alone = alone_prices(analysis.problem, *costs_of(options));
    return planned;
}

PlannedProblem replayed(const Graph &graph, const NetworkAnalysis &analysis,
                        const PlannerOptions &options, const RecordedPlan &recorded) {
    try {
        if (recorded.structure != structure_hash(graph)) {
            throw Error("it is a plan of another network, or of this one with other sizes or "
                        "passes; 'emulsion plan' makes one of this");
        }
        return made_again(analysis, options, recorded.plan);
    } catch (const Error &error) {
        throw error.with_place({.file = recorded.file});
    }
}

// The plan that is to be made again, if any: the user's, or one that measured prices have led to, if it is of this graph.
std::shared_ptr<const RecordedPlan> wanted_plan(const Graph &graph, const PlanOptions &options) {
    const auto &tuned = options.tuned;
    if (options.replay || !tuned || !tuned->plan ||
        tuned->plan->structure != structure_hash(graph)) {
        return options.replay;
    }
    return std::make_shared<RecordedPlan>(
        RecordedPlan{tuned->plan->plan, tuned->plan->structure, tuned->file});
}

// In the place of the planner's.
void take_other_nests(PlannedNetwork &network, const PlanOptions &options) {
    if (options.predictor) {
        TunedNests predicted = options.predictor->nests(network);
        if (options.tuned) {
            std::erase_if(predicted.nests, [&](const auto &nest) {
                return options.tuned->nests.count(nest.first) != 0;
            });
        }
        network.predicted_groups = take_tuned(network, predicted);
    }
    if (options.tuned) {
        network.tuned_groups = take_tuned(network, *options.tuned);
    }
}

}  // namespace

std::vector<size_t> PlannedNetwork::launched_groups() const {
    std::vector<size_t> launched;
    for (size_t i = 0; i < plan.groups.size(); i++) {
        if (plan.groups[i].kind != GroupKind::View) {
            launched.push_back(i);
        }
    }
    return launched;
}

Machine machine_for(const PlanOptions &options) {
    const TargetChoice target = target_choice(options.target);
    Machine machine = machine_of(target, options.threads);
    if (target.chips.empty()) {  // what is measured here is a CPU's
        set_constants(machine, options.machine);
    }
    return machine;
}

PlannedNetwork plan_network(const Graph &graph, const PlanOptions &options) {
    return plan_network(graph, options, find_policy(options.policy));
}

PlannedNetwork plan_network(const Graph &graph, const PlanOptions &options, const Policy &policy) {
    require_few_operators(graph);
    const TargetChoice target = target_choice(options.target);
    PlannedNetwork network;
    network.target = target.name;
    network.on_gpu = target.on_gpu;
    network.machine = machine_for(options);
    const NetworkAnalysis analysis = analyze_network(graph, network.machine, options.exact);
    PlannerOptions planner;
    planner.costs = options.costs;
    planner.machine = network.machine;
    planner.search.budget = options.search_budget;
    const std::shared_ptr<const RecordedPlan> wanted = wanted_plan(graph, options);
    PlannedProblem planned =
        wanted
            ? replayed(graph, analysis, planner, *wanted)
            : make_plan(analysis.problem, planner, policy,
                        forced_alternatives(analysis, options.implementations, "--implementation"));
    network.choices = choices_of(analysis.problem, planned);
    DecidedNetwork decided = decided_network(analysis, planned.decided);
    network.graph = std::move(decided.graph);
    network.constant_nodes = std::move(decided.constant_nodes);
    network.plan = std::move(planned.plan);
    const LayoutOptions layouts =
        layout_options(planned.decided.graph, network.machine, network.plan);
    const LaidOutGraph laid_out(std::move(planned.decided.graph), layouts);
    network.operators = laid_out.graph();
    network.copies = laid_out.copies();
    network.value_tensor = tensors_of(network, decided.value_tensor);
    network.launches = launches_of(network, target, options.checked);
    take_other_nests(network, options);
    for (const Node &node : graph.nodes) {
        network.operator_count += counts_as_operator(node) ? 1 : 0;
    }
    return network;
}

}  // namespace emulsion
