#include "autoscheduler/templates/support/gpu_candidates.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <map>
#include <set>

#include "autoscheduler/templates/support/parameters.h"
#include "fusion/ceil_div.h"
#include "fusion/cost/kernel_time.h"

namespace emulsion {

namespace {

// How many ways are left for the cost model, besides so many of every magnitude of their number of workgroups.
constexpr size_t kMostWays = 32;
constexpr size_t kWaysOfMagnitude = 4;
// Of multiply-adds, the share that loop control and addresses add; cycles of a load's issue.
constexpr double kLoopShare = 0.08;
constexpr double kLoadIssue = 0.1;
constexpr double kLineBytes = 64.0;

using Estimate = std::function<std::optional<double>(const GpuCandidate &)>;

// Adds the best by an estimate, of those that have it.
void add_best(const std::vector<GpuCandidate> &candidates, const std::vector<int64_t> &extents,
              const Estimate &estimate, std::vector<GpuTile> &ways) {
    std::vector<std::pair<double, const GpuCandidate *>> sorted;
    for (const GpuCandidate &candidate : candidates) {
        if (const auto value = estimate(candidate)) {
            sorted.emplace_back(*value, &candidate);
        }
    }
    std::stable_sort(sorted.begin(), sorted.end(),
                     [](const auto &a, const auto &b) { return a.first < b.first; });
    std::set<std::vector<int64_t>> blocks;
    std::map<int, size_t> of_magnitude;
    for (const auto &[value, candidate] : sorted) {
        const int magnitude = std::ilogb(workgroups_of(candidate->tile, extents));
        if ((blocks.size() >= kMostWays && of_magnitude[magnitude] >= kWaysOfMagnitude) ||
            !blocks.insert(candidate->nest.workgroup->block).second) {
            continue;
        }
        of_magnitude[magnitude]++;
        if (std::find(ways.begin(), ways.end(), candidate->tile) == ways.end()) {
            ways.push_back(candidate->tile);
        }
    }
}

double cycles_of_kernel(const Gpu &gpu, const Workgroup &way, const std::vector<int64_t> &extents,
                        double cycles, double read_bytes, double lds_read_bytes) {
    KernelWork work;
    for (size_t axis = 0; axis < extents.size(); axis++) {
        work.workgroups *= static_cast<double>(ceil_div(extents[axis], way.block[axis]));
    }
    work.threads = way.all_threads();
    work.registers = way.registers;
    work.cycles = cycles / work.workgroups;
    work.read_bytes = read_bytes;
    work.lds_read_bytes = lds_read_bytes;
    return kernel_cycles(gpu, work);
}

}  // namespace

std::vector<GpuTile> sorted_ways(const std::vector<GpuCandidate> &candidates,
                                 const std::vector<int64_t> &extents) {
    std::vector<GpuTile> ways;
    const auto alone = [](const GpuCandidate &c) { return std::optional<double>(c.alone); };
    const auto fed = [](const GpuCandidate &c) { return c.fed; };
    add_best(candidates, extents, alone, ways);
    add_best(candidates, extents, fed, ways);
    return ways;
}

std::vector<GpuTile> plain_tiles(const std::vector<int64_t> &extents, int column_axis,
                                 const std::vector<int> &rows) {
    std::vector<GpuTile> tiles;
    const int64_t columns = extent_at(extents, column_axis);
    const int width = rows.empty() ? -1 : rows[0];
    const int height = rows.size() < 2 ? -1 : rows[1];
    for (const int64_t tile_c : {1, 2, 4}) {
        for (const int64_t threads_c :
             sizes_up_to(std::max<int64_t>(columns / tile_c, 1), kMostWorkgroupThreads)) {
            if (tile_c * threads_c > columns && tile_c > 1) {
                continue;
            }
            for (const int64_t tile_w : {1, 2, 4, 7, 8}) {
                for (const int64_t threads_w : {1, 2, 4, 7, 8, 14, 16, 32, 64}) {
                    for (const int64_t threads_h : {1, 2, 4, 8}) {
                        if (tile_w * threads_w > extent_at(extents, width) ||
                            threads_h > extent_at(extents, height) ||
                            threads_c * threads_w * threads_h >
                                std::max<int64_t>(kPreferredThreads, threads_c)) {
                            continue;
                        }
                        GpuTile tile(static_cast<int>(extents.size()));
                        tile.column_axis = column_axis;
                        set_at(tile.tile, column_axis, tile_c);
                        set_at(tile.threads, column_axis, threads_c);
                        set_at(tile.tile, width, tile_w);
                        set_at(tile.threads, width, threads_w);
                        set_at(tile.threads, height, threads_h);
                        tiles.push_back(tile);
                    }
                }
            }
        }
    }
    return tiles;
}

double alone_cycles(const Gpu &gpu, const NestEstimate &nest, const std::vector<int64_t> &extents,
                    double read_bytes) {
    return cycles_of_kernel(gpu, *nest.workgroup, extents, nest.cycles, read_bytes, 0.0);
}

double fed_cycles(const Gpu &gpu, const NestEstimate &nest, const std::vector<int64_t> &extents,
                  double read_bytes, double lds_read_bytes) {
    return cycles_of_kernel(gpu, *nest.workgroup, extents, nest.fed_cycles.value_or(nest.cycles),
                            read_bytes, lds_read_bytes);
}

double waves_of(const GpuTile &tile, const Gpu &gpu) {
    return std::ceil(static_cast<double>(tile.all_threads()) / gpu.wavefront);
}

double step_cycles(const Gpu &gpu, double sums, double vector_bytes, double loads) {
    const double lanes = gpu.wavefront;
    const double arithmetic = sums * lanes / (gpu.simds * gpu.simd_lanes);
    const double reads = vector_bytes * lanes / gpu.l1_bytes_per_cycle;
    const double issue = loads * lanes / (gpu.simds * gpu.simd_lanes) * kLoadIssue;
    return std::max(arithmetic, reads) * (1.0 + kLoopShare) + issue;
}

double line_share(const GpuTile &tile, int64_t element_bytes) {
    const auto side_by_side = static_cast<double>(tile.block(tile.column_axis) * element_bytes);
    return std::max(1.0, kLineBytes / side_by_side);
}

double workgroups_of(const GpuTile &tile, const std::vector<int64_t> &extents) {
    double all = 1.0;
    for (size_t axis = 0; axis < extents.size(); axis++) {
        const int a = static_cast<int>(axis);
        if (!(tile.whole_rows && a == tile.column_axis)) {
            all *= static_cast<double>(ceil_div(extents[axis], tile.block(a)));
        }
    }
    return all;
}

double tile_elements(const GpuTile &tile) {
    double all = 1.0;
    for (const int64_t n : tile.tile) {
        all *= static_cast<double>(n);
    }
    return all;
}

std::vector<int64_t> sizes_up_to(int64_t most, int64_t limit) {
    std::vector<int64_t> list;
    for (int64_t n = 1; n <= std::min(most, limit); n *= 2) {
        list.push_back(n);
        if (n >= 4 && n / 4 * 3 * 2 <= std::min(most, limit)) {
            list.push_back(n / 4 * 3 * 2);
        }
    }
    if (most > 0 && most <= limit && std::find(list.begin(), list.end(), most) == list.end()) {
        list.push_back(most);
    }
    return list;
}

std::vector<int> long_axes(const NestSubject &subject, int otherwise) {
    std::vector<int> axes;
    for (auto axis = subject.natural_order.rbegin(); axis != subject.natural_order.rend(); ++axis) {
        if (extent_at(subject.extents, *axis) > 1) {
            axes.push_back(*axis);
        }
    }
    if (axes.empty() && otherwise >= 0) {
        axes.push_back(otherwise);
    }
    return axes;
}

int64_t extent_at(const std::vector<int64_t> &list, int axis) {
    return axis < 0 ? 1 : list[static_cast<size_t>(axis)];
}

void set_at(std::vector<int64_t> &list, int axis, int64_t value) {
    if (axis >= 0) {
        list[static_cast<size_t>(axis)] = value;
    }
}

}  // namespace emulsion
