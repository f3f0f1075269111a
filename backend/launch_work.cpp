#include "backend/launch_work.h"

#include <cassert>
#include <map>
#include <string>

namespace emulsion {

std::vector<LaunchWork> launch_work(const PlannedNetwork &network) {
    std::map<std::string, double> multiply_adds;  // by operator
    for (const PlannerOperator &op : network.operators.operators) {
        multiply_adds[op.name] = op.implementation.multiply_adds;
    }
    const auto bytes = [&](int value) {
        const Tensor &tensor =
            network.graph.tensor(network.value_tensor[static_cast<size_t>(value)]);
        return tensor.element_count() * size_of(tensor.type);
    };
    std::vector<LaunchWork> work;
    for (const PlannedGroup &group : network.plan.groups) {
        if (group.kind == GroupKind::View) {
            continue;
        }
        LaunchWork here;
        for (const int input : group.inputs) {
            here.bytes_read += bytes(input);
        }
        here.bytes_written = bytes(group.output);
        for (const PlannedMember &member : group.members) {
            here.multiply_adds += multiply_adds[member.op];
        }
        work.push_back(here);
    }
    assert(work.size() == network.launches.size());
    return work;
}

}  // namespace emulsion
