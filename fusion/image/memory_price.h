// What moving the elements of stages between memory, caches and registers costs.
#pragma once

#include "fusion/image/needed_regions.h"
#include "fusion/machine.h"

namespace emulsion {

// How fast each of `sharers` moves `bytes` that it goes over again and again.
double bytes_per_cycle(double bytes, double sharers, const CpuMachine &machine);

// Bytes of a stage that are read and written until it is complete, one of `definitions` definitions after the other,
// and read once by others.
double traffic(const ImageStage &stage, size_t definitions, const Extents &region);
double traffic(const ImageStage &stage, const Extents &region);

// What it costs to allocate so much.
double new_page_cycles(double bytes, const CpuMachine &machine);

// What it costs to have a stage in memory, beside its arithmetic, where `definitions` of its definitions go over all of
// it, or each does.
double storing_cycles(const ImageStage &stage, size_t definitions, const CpuMachine &machine);
double storing_cycles(const ImageStage &stage, const CpuMachine &machine);

}  // namespace emulsion
