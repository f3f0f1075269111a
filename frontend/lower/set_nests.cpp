#include "frontend/lower/set_nests.h"

#include "fusion/constant_blocks.h"
#include "fusion/group_nests.h"

namespace emulsion {

namespace {

void set_blocks(Unit &unit, const std::vector<Layout> &inputs) {
    for (size_t i = 0; i < inputs.size(); i++) {
        if (inputs[i].block_axis >= 0) {
            unit.inputs[i].layout = inputs[i];
        }
    }
}

// Of values that were added behind the others.
void name_new_values(PlannedNetwork &network) {
    std::map<std::string, TensorId> tensor_named;
    for (size_t v = 0; v < network.plan.values.size(); v++) {
        const std::string &name = network.plan.values[v].name;
        if (v < network.value_tensor.size()) {
            tensor_named[name] = network.value_tensor[v];
        } else {
            network.value_tensor.push_back(tensor_named.at(name));
        }
    }
}

}  // namespace

void set_nest(const PlannedNetwork &network, PlannedGroup group, const Nest &nest, Unit &unit) {
    set_group_nest(group, nest);
    set_group_nest(unit.plan.groups.front(), nest);
    if (group.kind == GroupKind::Compute) {
        set_blocks(unit, input_layouts(network.plan, network.operators, group));
    }
}

void follow_nests(PlannedNetwork &network) {
    lay_out_constants(network.plan, network.operators);
    name_new_values(network);
    const std::vector<size_t> launched = network.launched_groups();
    for (size_t i = 0; i < launched.size(); i++) {
        const PlannedGroup &group = network.plan.groups[launched[i]];
        PlannedLaunch &launch = network.launches[i];
        launch.inputs = group.inputs;
        std::vector<PlannedMember> &members = launch.unit.plan.groups.front().members;
        for (size_t m = 0; m < members.size(); m++) {
            members[m].nest = group.members[m].nest;
        }
        std::vector<Layout> layouts;
        for (const int v : group.inputs) {
            layouts.push_back(network.plan.values[static_cast<size_t>(v)].layout);
        }
        set_blocks(launch.unit, layouts);
    }
}

}  // namespace emulsion
