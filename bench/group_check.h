// Which group of a network is the first to go wrong.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "bench/compare.h"
#include "bench/loaded_network.h"

namespace emulsion {

// What a launch wrote.
struct GroupOutput {
    std::string label;  // operators of the group
    std::string value;  // name in the model
    Array array;
};

// Every launch of one run, in order, its output copied to row-major order.
std::vector<GroupOutput> run_by_groups(Artifact &artifact, const std::vector<Array> &inputs);

struct GroupDifference {
    std::string label, value;
    bool compared = false;  // false: the model has no such value, or has it with another shape
    Difference difference;
};

std::vector<GroupDifference> compare_groups(const std::vector<GroupOutput> &outputs,
                                            const std::map<std::string, Array> &reference);

// A table on stdout with every group's worst error over the bound, and the first above it.
void print_groups(const std::vector<GroupDifference> &groups);

}  // namespace emulsion
