// What one workgroup of a GPU kernel computes.
#pragma once

#include <cstdint>
#include <vector>

#include "fusion/cost/group_view.h"
#include "fusion/machine.h"
#include "fusion/nest_estimate.h"

namespace emulsion {

struct WorkgroupWork {
    double cycles = 0.0;          // of a compute unit: arithmetic and its first-level cache
    double lds_read_bytes = 0.0;  // of all lanes together
};

// `root`: what the nest of the group's root takes, on a GPU. `tiles`: the elements that a workgroup computes of each member's result, as
// tiles_of has them. Panels are computed by all threads, as make_gpu_panel (autoscheduler) deals them out.
WorkgroupWork workgroup_work(const GroupView &group, const NestEstimate &root,
                             const std::vector<std::vector<int64_t>> &tiles,
                             const GpuMachine &machine);

}  // namespace emulsion
