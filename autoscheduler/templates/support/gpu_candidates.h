// The workgroups that the loop nests of GPU kernels offer: candidates with what a small model of one compute unit
// says of them, and which of them are worth considering. What else a kernel waits for (caches, memory, too few
// workgroups) is the cost model's to know (fusion/cost/gpu_price.h).
#pragma once

#include <optional>
#include <vector>

#include "autoscheduler/templates/support/gpu_tile.h"

namespace emulsion {

struct GpuCandidate {
    GpuTile tile;
    NestEstimate nest;
    double alone = 0.0;         // cycles as a kernel by itself
    std::optional<double> fed;  // ... and as one that reads a panel
};

// Threads of a workgroup that are enough, where more would be possible.
inline constexpr int64_t kPreferredThreads = 256;
// Steps of a sum that are unrolled.
inline constexpr int64_t kUnrolledSteps = 4;
// Registers of a thread for addresses and counters.
inline constexpr int kOtherRegisters = 24;

// The best of each size of block as ways to cut `extents`, sorted by what a kernel alone would take, and then those
// that are better where panels are read; a few of every magnitude of their number: a group with panels may want
// larger blocks than an operator alone, and one workgroup for all.
std::vector<GpuTile> sorted_ways(const std::vector<GpuCandidate> &candidates,
                                 const std::vector<int64_t> &extents);

// Blocks of threads for operators whose elements are independent: columns first, then `rows`, of which the
// first two axes are cut.
std::vector<GpuTile> plain_tiles(const std::vector<int64_t> &extents, int column_axis,
                                 const std::vector<int> &rows);

// Cycles of a nest as a kernel alone, each of whose workgroups reads `read_bytes`; and as one that reads a panel, the
// lanes of each workgroup `lds_read_bytes` from LDS.
double alone_cycles(const Gpu &gpu, const NestEstimate &nest, const std::vector<int64_t> &extents,
                    double read_bytes);
double fed_cycles(const Gpu &gpu, const NestEstimate &nest, const std::vector<int64_t> &extents,
                  double read_bytes, double lds_read_bytes);

// Cycles that a compute unit takes for one step of a reduction, for all lanes of a wave: a thread adds to `sums`
// sums, reads `vector_bytes` that other lanes don't read, and issues `loads` loads.
double step_cycles(const Gpu &gpu, double sums, double vector_bytes, double loads);

// Bytes that move over those that are needed, where neighbouring threads read less than a cache line side by
// side.
double line_share(const GpuTile &tile, int64_t element_bytes);

// Waves of a workgroup.
double waves_of(const GpuTile &tile, const Gpu &gpu);

// Workgroups that it takes, waste at the edges included, and elements of a thread's tile.
double workgroups_of(const GpuTile &tile, const std::vector<int64_t> &extents);
double tile_elements(const GpuTile &tile);

// Powers of two and three quarters of them, up to both `most` and `limit`, and `most` itself where it is no more
// than `limit`.
std::vector<int64_t> sizes_up_to(int64_t most, int64_t limit);

// Axes of more than one element, innermost first; `otherwise` (unless it is -1) where there are none.
std::vector<int> long_axes(const NestSubject &subject, int otherwise);

// An entry of a list by axes; for axis -1, which a reduction may lack, 1 and nothing.
int64_t extent_at(const std::vector<int64_t> &list, int axis);
void set_at(std::vector<int64_t> &list, int axis, int64_t value);

}  // namespace emulsion
