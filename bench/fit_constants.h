// Constants of a machine with which predictions come closest to times, by pattern search.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "fusion/machine_constants.h"

namespace emulsion {

struct ConstantsFit {
    std::vector<std::string> names;  // of those that are fitted
    std::function<double(const MachineConstants &)> error;
    // What follows from others is set after each step; may be empty.
    std::function<void(MachineConstants &)> complete;
    // Is told the error so far.
    std::function<void(double error)> progress;
};

// How much an error of decisions counts beside one of times. Plans are made of decisions, whose differences are small
// beside those between what is decided about: without them a fit would not look at what they depend on.
constexpr double kDecisionWeight = 4.0;

// Every constant, and every two of them, are multiplied by a few factors, until none makes the error smaller, and none
// leaves an eighth to eight times its start. Can be interrupted.
MachineConstants fit_constants(const MachineConstants &start, const ConstantsFit &fit);

}  // namespace emulsion
