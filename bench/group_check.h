// Which group of a network is the first to go wrong.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "bench/compare.h"
#include "bench/json_file.h"
#include "bench/loaded_network.h"

namespace emulsion {

// A group's output beside the reference's value of the same name, over all runs.
struct GroupDifference {
    std::string label;      // operators of the group
    std::string value;      // name in the model
    bool compared = false;  // false: the model has no such value, or has it with another shape
    Difference difference;
    int worst_run = 0;  // from 0
};

class GroupCheck {
public:
    // Runs the network once, to see what its groups write.
    GroupCheck(Artifact &artifact, const std::vector<Array> &inputs);

    // Names in the model of what the groups write.
    std::vector<std::string> values() const;
    // Runs the network and compares what each group writes, as soon as it has; the outputs.
    std::vector<Array> run(const std::vector<Array> &inputs,
                           const std::map<std::string, Array> &reference);

    const std::vector<GroupDifference> &groups() const { return groups_; }
    // The first in execution order that is above the bound in any run, or -1.
    int first_wrong() const;

private:
    Artifact &artifact_;
    int runs_ = 0;
    std::vector<GroupDifference> groups_;
};

// A table on stdout with every group's worst error over the bound, and the first above it.
void print_groups(const GroupCheck &check);

Json to_json(const GroupDifference &group);

}  // namespace emulsion
