#include "bench/group_check.h"

#include <fmt/format.h>

namespace emulsion {

GroupCheck::GroupCheck(Artifact &artifact, const std::vector<Array> &inputs) : artifact_(artifact) {
    std::vector<Array> outputs = empty_outputs(artifact);
    artifact.run_observed(addresses(inputs), addresses(outputs), [&](const LaunchEvent &event) {
        groups_.push_back({.label = event.label, .value = event.tensor.name, .difference = {}});
    });
}

std::vector<std::string> GroupCheck::values() const {
    std::vector<std::string> names;
    for (const GroupDifference &group : groups_) {
        names.push_back(group.value);
    }
    return names;
}

std::vector<Array> GroupCheck::run(const std::vector<Array> &inputs,
                                   const std::map<std::string, Array> &reference) {
    std::vector<Array> outputs = empty_outputs(artifact_);
    artifact_.run_observed(addresses(inputs), addresses(outputs), [&](const LaunchEvent &event) {
        GroupDifference &group = groups_.at(static_cast<size_t>(event.launch));
        const auto found = reference.find(event.tensor.name);
        if (found == reference.end() || found->second.type != event.tensor.type ||
            found->second.shape != event.tensor.shape) {
            return;
        }
        group.compared = true;
        const Array written{event.tensor.type, event.tensor.shape, event.dense()};
        if (group.difference.merge(compare(written, found->second))) {
            group.worst_run = runs_;
        }
    });
    runs_++;
    return outputs;
}

int GroupCheck::first_wrong() const {
    for (size_t i = 0; i < groups_.size(); i++) {
        if (groups_[i].compared && !groups_[i].difference.passes()) {
            return static_cast<int>(i);
        }
    }
    return -1;
}

void print_groups(const GroupCheck &check) {
    fmt::print("{:>5}  {:>12}{:>14}{:>5}  {:<30}  {}\n", "group", "max |error|", "error/bound",
               "run", "value", "operators");
    int skipped = 0;
    for (size_t i = 0; i < check.groups().size(); i++) {
        const GroupDifference &group = check.groups()[i];
        if (!group.compared) {
            skipped++;
            fmt::print("{:>5}  {:>12}{:>14}{:>5}  {:<30}  {}\n", i, "-", "-", "-", group.value,
                       group.label);
            continue;
        }
        fmt::print("{:>5}  {:>12.3g}{:>14.3g}{:>5}  {:<30}  {}\n", i,
                   group.difference.max_abs_error, group.difference.worst_ratio,
                   group.worst_run + 1, group.value, group.label);
    }
    if (skipped > 0) {
        fmt::print("{} of {} values are not in the model, or not in this shape: not compared\n",
                   skipped, check.groups().size());
    }
    if (const int first = check.first_wrong(); first >= 0) {
        const GroupDifference &group = check.groups()[static_cast<size_t>(first)];
        fmt::print("the first group above the bound is {}, which makes '{}': {}\n", first,
                   group.value, group.label);
    } else {
        fmt::print("no group is above the bound\n");
    }
}

Json to_json(const GroupDifference &group) {
    Json json = {{"operators", group.label}, {"value", group.value}};
    json["max_abs_error"] = group.compared ? Json(group.difference.max_abs_error) : Json();
    json["worst_bound_ratio"] = group.compared ? Json(group.difference.worst_ratio) : Json();
    json["worst_run"] = group.compared ? Json(group.worst_run + 1) : Json();
    return json;
}

}  // namespace emulsion
