// Small complete grids that reach over the whole space of a task.
#pragma once

#include <cstddef>

#include "tuner/task.h"

namespace emulsion {

// The task with at most so many valid points to try, its planned nest among them: as many values as can be of the parameters
// that matter most, which are far apart; the others keep what is planned. What matters is what changes the facts of points
// (TuningTask::facts), or where nothing is known of them, the suggested nests. In `narrowed` (tuner/grid.h) all is near the planned nest; here
// most of it is slow, as in the whole space.
TuningTask spread(TuningTask task, size_t most);

}  // namespace emulsion
