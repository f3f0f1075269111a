// Panels of GPU kernels: results of other stages that a workgroup of the root needs, in LDS.
#pragma once

#include "autoscheduler/templates/support/gpu_tile.h"

namespace emulsion {

// Lets the threads of the root's workgroup, whose nest is `root`, compute the panel `funcs.root`, whose own nest
// would be `own`: they take its columns and rows in turn, as many as there are.
void make_gpu_panel(const NestFuncs &funcs, const GpuTile &own, const GpuTile &root);

}  // namespace emulsion
