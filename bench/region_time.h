// What it costs to start a parallel loop.
#pragma once

namespace emulsion {

// Seconds that a loop over `threads` equal tasks takes longer than one of its tasks, with the thread pool that
// artifacts have and workers that are awake; the median of many loops. 0 for one thread.
double region_seconds(int threads);

}  // namespace emulsion
