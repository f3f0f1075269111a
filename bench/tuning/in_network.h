// Which of a few loop nests of every group is the fastest where it counts: in runs of the whole network, where its inputs
// lie as the group before has left them, and weights have been pushed out of the caches by all other groups.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "backend/compiler.h"
#include "backend/planned_model.h"
#include "frontend/lower/tuned_nests.h"

namespace emulsion {

class Progress;

// The model with these nests, by problem, in its plan.
PlannedModel with_nests(const PlannedModel &planned, const std::map<std::string, TunedNest> &nests);

struct Finalist {
    std::string label;        // of the group, for people
    std::vector<Nest> nests;  // others than the planned one
};

// By problem, the nests that are faster than the planned ones in the network, with their ratios there. The
// planned network, one with the first nest of every group, one with the second, ... run in turns for so many seconds, every
// launch timed; half of the runs choose, the others say how fast what was chosen is. Throws Error, where one computes
// something else than the planned one.
std::map<std::string, TunedNest> choose_in_network(const PlannedModel &planned,
                                                   const CompileOptions &options,
                                                   const std::map<std::string, Finalist> &finalists,
                                                   double seconds, Progress &progress);

}  // namespace emulsion
