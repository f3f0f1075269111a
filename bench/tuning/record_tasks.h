// Measures small complete grids of loop nests, for replay (tuner/record.h).
#pragma once

#include <cstddef>
#include <vector>

#include "backend/compiler.h"
#include "backend/planned_model.h"
#include "bench/tuning/candidate_trial.h"
#include "tuner/replay.h"

namespace emulsion {

class Progress;

struct Recording {
    size_t points = 300;  // of a task, at most
    bool spread =
        false;  // over the whole space (tuner/spread.h), instead of around the planned nest
    size_t tasks_of_each = 3;  // with nests of the same templates: the largest, at most
    size_t tasks = 1000;       // of the network: the largest, at most
    double most_ms = 3.0;      // of one launch, as it is predicted: what is longer takes too long
    // How often all points are measured in a sitting, one time after all have been once: what else the machine does is in one
    // batch of points like in another. A point's ratio is the median.
    int passes = 3;
    double apart = 0.0;  // seconds from the beginning of one sitting to that of the next, at least
    TrialOptions trial;
};

// Of a planned model's groups with several loop nests, each narrowed to so many points: all points in a
// first sitting, then all again in a second one. Throws Error where there are none that are short enough, and what
// measuring throws.
std::vector<RecordedTask> record_tasks(const PlannedModel &planned, const CompileOptions &options,
                                       const Recording &recording, Progress &progress);

}  // namespace emulsion
