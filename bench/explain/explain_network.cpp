#include "bench/explain/explain_network.h"

#include <set>

#include "backend/program.h"
#include "bench/explain/explain_plan.h"

namespace emulsion {

namespace {

// The model's.
PlanNames names_of(const PlannedNetwork &network) {
    PlanNames names = own_names(network.operators);
    for (size_t i = 0; i < names.operators.size(); i++) {
        names.operators[i] = network.graph.nodes[i].name;
    }
    std::map<std::string, TensorId> tensors;  // of planned values, by the planner's name
    for (size_t v = 0; v < network.plan.values.size(); v++) {
        tensors[network.plan.values[v].name] = network.value_tensor[v];
    }
    for (PlanNames::Tensor &value : names.values) {
        if (const auto found = tensors.find(value.name); found != tensors.end()) {
            const Tensor &tensor = network.graph.tensor(found->second);
            value = {tensor.name, std::string(to_string(tensor.type))};
        }
    }
    return names;
}

void add_program(const Program &program, Explanation &explained) {
    explained.arena_bytes = program.arena_bytes;
    explained.live_bytes = program.live_bytes;
    explained.weights_bytes = program.weights_bytes;
    std::set<std::string> units;
    for (ExplainedGroup &group : explained.groups) {
        if (!group.launched()) {
            continue;
        }
        const Launch &launch = program.launches.at(static_cast<size_t>(group.launch));
        const auto storage = [&](size_t argument) {
            const auto view = static_cast<size_t>(launch.views.at(argument));
            return to_string(program.views[view].storage);
        };
        group.unit = launch.unit;
        units.insert(launch.unit);
        for (size_t i = 0; i < group.inputs.size(); i++) {
            group.inputs[i].storage = storage(i);
        }
        group.output.storage = storage(group.inputs.size());
    }
    explained.units = static_cast<int>(units.size());
}

}  // namespace

Explanation explain_network(const PlannedNetwork &network) {
    Explanation explained = explain_plan(network.operators, network.plan, network.machine,
                                         names_of(network), network.choices);
    explained.target = network.target;
    explained.operator_count = network.operator_count;
    add_program(place(network).program, explained);
    return explained;
}

}  // namespace emulsion
