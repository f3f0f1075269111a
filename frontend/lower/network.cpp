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
    const Machine machine = machine_for(options);
    network.machine = machine;
    NetworkAnalysis analysis = analyze_network(graph, machine, options.exact);
    PlannerOptions planner;
    planner.machine = machine;
    planner.search.budget = options.search_budget;
    network.plan = make_plan(analysis.operators, planner, policy);
    network.operators = std::move(analysis.operators);

    std::map<std::string, TensorId> tensor_named;
    for (size_t v = 0; v < network.operators.values.size(); v++) {
        tensor_named[network.operators.values[v].name] = analysis.value_tensor[v];
    }
    for (const PlannedValue &value : network.plan.values) {
        network.value_tensor.push_back(tensor_named.at(value.name));
    }
    std::map<std::string, int> node_named;
    for (size_t i = 0; i < network.operators.operators.size(); i++) {
        node_named[network.operators.operators[i].name] = static_cast<int>(i);
    }
    for (const PlannedGroup &group : network.plan.groups) {
        if (group.kind == GroupKind::View) {
            continue;
        }
        PlannedLaunch launch;
        launch.inputs = group.inputs;
        launch.output = group.output;
        if (group.kind == GroupKind::Convert) {
            const auto from = static_cast<size_t>(group.inputs.at(0));
            const auto to = static_cast<size_t>(group.output);
            const Tensor &tensor = graph.tensor(network.value_tensor[from]);
            launch.unit = make_convert_unit(tensor, network.plan.values[from].layout,
                                            network.plan.values[to].layout, machine);
            launch.label = "layout of " + tensor.name;
        } else {
            std::vector<int> nodes;
            for (const PlannedMember &member : group.members) {
                nodes.push_back(node_named.at(member.op));
            }
            launch.unit =
                make_compute_unit(graph, nodes, network.plan, group, network.value_tensor);
            launch.label = label_of(graph, nodes);
        }
        launch.unit.target = target.halide;
        launch.unit.chips = target.chips;
        launch.unit.checked = options.checked;
        network.launches.push_back(std::move(launch));
    }
    for (const Node &node : graph.nodes) {
        network.operator_count += counts_as_operator(node) ? 1 : 0;
    }
    return network;
}

}  // namespace emulsion
