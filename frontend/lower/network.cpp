#include "frontend/lower/network.h"

#include <map>

#include "frontend/lower/analyze_network.h"
#include "frontend/lower/check_operators.h"
#include "frontend/lower/make_unit.h"
#include "frontend/lower/target.h"
#include "frontend/ops/operator.h"
#include "fusion/planner.h"
#include "fusion/policy.h"

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
    const auto to = static_cast<size_t>(group.output);
    const Tensor &tensor = network.graph.tensor(network.value_tensor[from]);
    PlannedLaunch launch;
    launch.unit = make_convert_unit(tensor, network.plan.values[from].layout,
                                    network.plan.values[to].layout, network.machine);
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

}  // namespace

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
    NetworkAnalysis analysis = analyze_network(graph, network.machine, options.exact);
    PlannerOptions planner;
    planner.machine = network.machine;
    planner.search.budget = options.search_budget;
    network.graph = graph;
    network.plan = make_plan(analysis.operators, planner, policy);
    network.operators = std::move(analysis.operators);
    network.value_tensor = tensors_of(network, analysis.value_tensor);
    network.launches = launches_of(network, target, options.checked);
    for (const Node &node : graph.nodes) {
        network.operator_count += counts_as_operator(node) ? 1 : 0;
    }
    return network;
}

}  // namespace emulsion
