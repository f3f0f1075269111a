#include "bench/group_check.h"

#include <fmt/format.h>

namespace emulsion {

std::vector<GroupOutput> run_by_groups(Artifact &artifact, const std::vector<Array> &inputs) {
    std::vector<GroupOutput> groups;
    std::vector<Array> outputs = empty_outputs(artifact);
    artifact.run_observed(addresses(inputs), addresses(outputs), [&](const LaunchEvent &event) {
        groups.push_back({event.label,
                          event.tensor.name,
                          {event.tensor.type, event.tensor.shape, event.dense()}});
    });
    return groups;
}

std::vector<GroupDifference> compare_groups(const std::vector<GroupOutput> &outputs,
                                            const std::map<std::string, Array> &reference) {
    std::vector<GroupDifference> groups;
    for (const GroupOutput &output : outputs) {
        GroupDifference group{output.label, output.value, false, {}};
        const auto found = reference.find(output.value);
        if (found != reference.end() && found->second.type == output.array.type &&
            found->second.shape == output.array.shape) {
            group.compared = true;
            group.difference = compare(output.array, found->second);
        }
        groups.push_back(std::move(group));
    }
    return groups;
}

void print_groups(const std::vector<GroupDifference> &groups) {
    fmt::print("{:>5}  {:>12}{:>14}  {:<30}  {}\n", "group", "max |error|", "error/bound", "value",
               "operators");
    const GroupDifference *first = nullptr;
    int skipped = 0;
    for (size_t i = 0; i < groups.size(); i++) {
        const GroupDifference &group = groups[i];
        if (!group.compared) {
            skipped++;
            fmt::print("{:>5}  {:>12}{:>14}  {:<30}  {}\n", i, "-", "-", group.value, group.label);
            continue;
        }
        fmt::print("{:>5}  {:>12.3g}{:>14.3g}  {:<30}  {}\n", i, group.difference.max_abs_error,
                   group.difference.worst_ratio, group.value, group.label);
        if (first == nullptr && !group.difference.passes()) {
            first = &group;
        }
    }
    if (skipped > 0) {
        fmt::print("{} of {} values are not in the model, or not in this shape: not compared\n",
                   skipped, groups.size());
    }
    if (first != nullptr) {
        fmt::print("the first group above the bound makes '{}': {}\n", first->value, first->label);
    } else {
        fmt::print("no group is above the bound\n");
    }
}

}  // namespace emulsion
