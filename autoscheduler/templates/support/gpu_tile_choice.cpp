#include "autoscheduler/templates/support/gpu_tile_choice.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>

#include "autoscheduler/templates/support/parameters.h"
#include "autoscheduler/work.h"
#include "fusion/cost/kernel_time.h"

namespace emulsion {

namespace {

// Sums of a thread, at most, and rows that it reads from scalar registers: what leaves room for everything else.
constexpr int64_t kMostSums = 64;
constexpr int64_t kMostScalarRows = 16;
// Registers for addresses and counters; of multiply-adds, the share that loop control and addresses add.
constexpr int kOtherRegisters = 24;
constexpr double kLoopShare = 0.08;
constexpr double kLoadIssue = 0.1;
// How many ways are left for the cost model, besides so many of every magnitude of their number of workgroups.
constexpr size_t kMostWays = 32;
constexpr size_t kWaysOfMagnitude = 4;
constexpr int64_t kUnroll = 4;
constexpr int64_t kPreferredThreads = 256;
constexpr int64_t kMostUnrolledTaps = 25;

struct Candidate {
    GpuTile tile;
    int registers = 32;
    double cycles = 0.0;    // of all of it on one compute unit
    double estimate = 0.0;  // as a kernel alone
};

int64_t at(const std::vector<int64_t> &list, int axis) {
    return axis < 0 ? 1 : list[static_cast<size_t>(axis)];
}

void set(std::vector<int64_t> &list, int axis, int64_t value) {
    if (axis >= 0) {
        list[static_cast<size_t>(axis)] = value;
    }
}

// Workgroups that it takes, waste at the edges included.
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

// The best of each size of block, sorted by what a kernel alone would take; a few of every magnitude of their
// number: a group with panels may want larger blocks than an operator alone, and one workgroup for all.
std::vector<Workgroup> sorted_ways(std::vector<Candidate> candidates,
                                   const std::vector<int64_t> &extents) {
    std::stable_sort(
        candidates.begin(), candidates.end(),
        [](const Candidate &a, const Candidate &b) { return a.estimate < b.estimate; });
    std::vector<Workgroup> ways;
    std::vector<std::vector<int64_t>> blocks;
    std::map<int, size_t> of_magnitude;
    for (const Candidate &candidate : candidates) {
        Workgroup way = workgroup_of(candidate.tile, extents);
        const int magnitude = std::ilogb(workgroups_of(candidate.tile, extents));
        if ((ways.size() >= kMostWays && of_magnitude[magnitude] >= kWaysOfMagnitude) ||
            std::find(blocks.begin(), blocks.end(), way.block) != blocks.end()) {
            continue;
        }
        of_magnitude[magnitude]++;
        way.registers = candidate.registers;
        way.cycles = candidate.cycles;
        blocks.push_back(way.block);
        ways.push_back(std::move(way));
    }
    return ways;
}

double alone(const Gpu &gpu, const Candidate &c, const std::vector<int64_t> &extents,
             double read_bytes) {
    KernelWork work;
    work.workgroups = workgroups_of(c.tile, extents);
    work.threads = static_cast<int>(c.tile.all_threads());
    work.registers = c.registers;
    work.cycles = c.cycles / work.workgroups;
    work.read_bytes = read_bytes;
    return kernel_cycles(gpu, work);
}

// Powers of two and three quarters of them, up to `most`, and `most` itself if it is small.
std::vector<int64_t> sizes(int64_t most, int64_t limit) {
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

// Bytes that come along where neighbouring threads read less than a cache line side by side.
double line_share(const GpuTile &tile, int64_t element_bytes) {
    constexpr double kLineBytes = 64.0;
    const auto side_by_side = static_cast<double>(tile.block(tile.column_axis) * element_bytes);
    return std::max(1.0, kLineBytes / side_by_side);
}

// Cycles that a compute unit takes for one step of the reduction, for all lanes of a wave.
double step_cycles(const Gpu &gpu, double sums, double vector_bytes, double loads) {
    const double lanes = gpu.wavefront;
    const double arithmetic = sums * lanes / (gpu.simds * gpu.simd_lanes);
    const double reads = vector_bytes * lanes / gpu.l1_bytes_per_cycle;
    const double issue = loads * lanes / (gpu.simds * gpu.simd_lanes) * kLoadIssue;
    return std::max(arithmetic, reads) * (1.0 + kLoopShare) + issue;
}

class Contraction {
public:
    Contraction(const NestSubject &subject, const ReductionRoles &roles)
        : subject_(subject), roles_(roles), gpu_(subject.machine.gpu),
          columns_(extent_of(subject, roles.column_axis)),
          width_(extent_of(subject, roles.width_axis)),
          height_(extent_of(subject, roles.height_axis)), bytes_(roles.reduction->element_bytes) {}

    std::vector<Workgroup> ways() {
        for (const int64_t tile_c : {1, 2, 4, 8}) {
            for (const int64_t threads_c : sizes(columns_ / tile_c, kMostWorkgroupThreads)) {
                if (tile_c * threads_c <= columns_) {
                    add_rows(tile_c, threads_c);
                }
            }
        }
        return sorted_ways(std::move(candidates_), subject_.extents);
    }

private:
    void add_rows(int64_t tile_c, int64_t threads_c) {
        for (int64_t tile_w = 1; tile_w <= std::min<int64_t>(width_, kMostScalarRows); tile_w++) {
            for (const int64_t tile_h : {1, 2, 4}) {
                if (tile_h > height_ || tile_c * tile_w * tile_h > kMostSums ||
                    tile_w * tile_h > kMostScalarRows) {
                    continue;
                }
                for (const int64_t threads_w : {1, 2, 4, 8, 16}) {
                    for (const int64_t threads_h : {1, 2, 4}) {
                        if (tile_w * threads_w <= width_ && tile_h * threads_h <= height_ &&
                            threads_c * threads_w * threads_h <=
                                std::max<int64_t>(kPreferredThreads, threads_c)) {
                            add(tile_c, threads_c, tile_w, threads_w, tile_h, threads_h);
                        }
                    }
                }
            }
        }
    }

    void add(int64_t tile_c, int64_t threads_c, int64_t tile_w, int64_t threads_w, int64_t tile_h,
             int64_t threads_h) {
        Candidate c{GpuTile(static_cast<int>(subject_.extents.size()))};
        c.tile.column_axis = roles_.column_axis;
        set(c.tile.tile, roles_.column_axis, tile_c);
        set(c.tile.threads, roles_.column_axis, threads_c);
        set(c.tile.tile, roles_.width_axis, tile_w);
        set(c.tile.threads, roles_.width_axis, threads_w);
        set(c.tile.tile, roles_.height_axis, tile_h);
        set(c.tile.threads, roles_.height_axis, threads_h);
        const int64_t rows = tile_w * tile_h;
        const int64_t unroll = std::min<int64_t>(kUnroll, roles_.inner_channels);
        c.tile.unroll = roles_.inner_channels % unroll == 0 ? unroll : 1;
        // Where all lanes of every wave have columns, rows are the same for all of them.
        const bool scalar = threads_w * threads_h == 1 && threads_c % gpu_.wavefront == 0;
        const int64_t read = tile_c + (scalar ? 0 : rows);
        const double step = step_cycles(
            gpu_, static_cast<double>(tile_c * rows), static_cast<double>(read * bytes_),
            static_cast<double>(tile_c + rows) / static_cast<double>(c.tile.unroll));
        const double workgroups = workgroups_of(c.tile, subject_.extents);
        const auto reduction = static_cast<double>(roles_.reduction_size());
        const auto threads = static_cast<double>(threads_c * threads_w * threads_h);
        const double waves = std::ceil(threads / gpu_.wavefront);
        c.registers = static_cast<int>(tile_c * rows + tile_c * c.tile.unroll +
                                       (scalar ? 0 : rows * c.tile.unroll)) +
                      kOtherRegisters;
        if (c.registers > kMostRegisters) {
            return;
        }
        c.cycles = workgroups * waves * reduction * step;
        const double block_rows = static_cast<double>(rows * threads_w * threads_h);
        const double block_columns = static_cast<double>(tile_c * threads_c);
        c.estimate = alone(
            gpu_, c, subject_.extents,
            static_cast<double>(bytes_) *
                (block_columns * reduction + block_rows * static_cast<double>(roles_.channels)));
        candidates_.push_back(c);
        add_split(c, waves * workgroups, step);
    }

    // Few results of long sums keep few threads busy.
    void add_split(const Candidate &whole, double waves, double step) {
        if (waves > gpu_.compute_units * gpu_.simds || tile_elements(whole.tile) > kMostSplitSums ||
            at(whole.tile.threads, roles_.height_axis) > 1) {
            return;
        }
        for (const int64_t split : {4, 8, 16, 32}) {
            Candidate c = whole;
            c.tile.split = split;
            if (c.tile.all_threads() > kMostWorkgroupThreads ||
                split * kShortestPart > roles_.channels) {
                continue;
            }
            const double workgroups = workgroups_of(c.tile, subject_.extents);
            const double own =
                std::ceil(static_cast<double>(c.tile.all_threads()) / gpu_.wavefront);
            c.cycles = workgroups * (own * static_cast<double>(roles_.reduction_size()) /
                                         static_cast<double>(split) * step +
                                     kPartCycles * tile_elements(c.tile));
            c.estimate = alone(gpu_, c, subject_.extents, 0.0) + 1.0;
            candidates_.push_back(c);
        }
    }

    static constexpr int kMostRegisters = 128;
    static constexpr double kMostSplitSums = 8.0;
    static constexpr int64_t kShortestPart = 8;  // of a sum: steps
    static constexpr double kPartCycles = 100.0;

    const NestSubject &subject_;
    const ReductionRoles &roles_;
    const Gpu &gpu_;
    int64_t columns_, width_, height_, bytes_;
    std::vector<Candidate> candidates_;
};

// Blocks of threads for operators whose elements are independent: columns first, then rows.
std::vector<GpuTile> plain_tiles(const std::vector<int64_t> &extents, int column_axis,
                                 const std::vector<int> &rows) {
    std::vector<GpuTile> tiles;
    const int64_t columns = at(extents, column_axis);
    const int width = rows.empty() ? -1 : rows[0];
    const int height = rows.size() < 2 ? -1 : rows[1];
    for (const int64_t tile_c : {1, 2, 4}) {
        for (const int64_t threads_c :
             sizes(std::max<int64_t>(columns / tile_c, 1), kMostWorkgroupThreads)) {
            if (tile_c * threads_c > columns && tile_c > 1) {
                continue;
            }
            for (const int64_t tile_w : {1, 2, 4, 7, 8}) {
                for (const int64_t threads_w : {1, 2, 4, 7, 8, 14, 16, 32, 64}) {
                    for (const int64_t threads_h : {1, 2, 4, 8}) {
                        if (tile_w * threads_w > at(extents, width) ||
                            threads_h > at(extents, height) ||
                            threads_c * threads_w * threads_h >
                                std::max<int64_t>(kPreferredThreads, threads_c)) {
                            continue;
                        }
                        GpuTile tile(static_cast<int>(extents.size()));
                        tile.column_axis = column_axis;
                        set(tile.tile, column_axis, tile_c);
                        set(tile.threads, column_axis, threads_c);
                        set(tile.tile, width, tile_w);
                        set(tile.threads, width, threads_w);
                        set(tile.threads, height, threads_h);
                        tiles.push_back(tile);
                    }
                }
            }
        }
    }
    return tiles;
}

// Axes of more than one element, innermost first; `otherwise` (unless it is -1) where there are none.
std::vector<int> long_axes(const NestSubject &subject, int otherwise) {
    std::vector<int> axes;
    for (auto axis = subject.natural_order.rbegin(); axis != subject.natural_order.rend(); ++axis) {
        if (at(subject.extents, *axis) > 1) {
            axes.push_back(*axis);
        }
    }
    if (axes.empty() && otherwise >= 0) {
        axes.push_back(otherwise);
    }
    return axes;
}

}  // namespace

std::vector<Workgroup> contraction_workgroups(const NestSubject &subject,
                                              const ReductionRoles &roles) {
    return Contraction(subject, roles).ways();
}

std::vector<Workgroup> lanewise_workgroups(const NestSubject &subject,
                                           const ReductionRoles &roles) {
    const Gpu &gpu = subject.machine.gpu;
    std::vector<int> rows;
    for (const int axis : {roles.width_axis, roles.height_axis}) {
        if (axis >= 0) {
            rows.push_back(axis);
        }
    }
    std::erase_if(rows, [&](int axis) { return at(subject.extents, axis) == 1; });
    for (const int axis : long_axes(subject, -1)) {
        if (axis != roles.column_axis && std::find(rows.begin(), rows.end(), axis) == rows.end()) {
            rows.push_back(axis);
        }
    }
    const auto reduction = static_cast<double>(roles.reduction_size());
    const int64_t bytes = roles.reduction->element_bytes;
    std::vector<Candidate> candidates;
    for (const GpuTile &tile : plain_tiles(subject.extents, roles.column_axis, rows)) {
        Candidate c{tile};
        c.tile.unroll_window = roles.taps <= kMostUnrolledTaps;
        const int64_t unroll = std::min<int64_t>(kUnroll, roles.inner_channels);
        c.tile.unroll = !roles.windowed && roles.inner_channels % unroll == 0 ? unroll : 1;
        const double sums = tile_elements(tile);
        const auto tile_c = static_cast<double>(at(tile.tile, tile.column_axis));
        // Neighbouring windows share what they read, where their taps are unrolled.
        const double shared = c.tile.unroll_window ? 0.5 : 1.0;
        const double read =
            tile_c + (sums - tile_c) * shared + (roles.weights.empty() ? 0.0 : tile_c);
        const double step =
            step_cycles(gpu, sums, read * static_cast<double>(bytes) * line_share(tile, bytes),
                        read / static_cast<double>(kGpuVector));
        const double workgroups = workgroups_of(tile, subject.extents);
        const auto add = [&](int64_t split) {
            c.tile.split = split;
            if (c.tile.all_threads() > kMostWorkgroupThreads ||
                (split > 1 && rows.size() > 1 && at(tile.threads, rows[1]) > 1)) {
                return;
            }
            const double waves =
                std::ceil(static_cast<double>(c.tile.all_threads()) / gpu.wavefront);
            c.registers = static_cast<int>(3.0 * sums) + kOtherRegisters;
            c.cycles = workgroups * waves * reduction / static_cast<double>(split) * step;
            c.estimate = alone(gpu, c, subject.extents, 0.0);
            candidates.push_back(c);
        };
        add(1);
        const double threads = workgroups * static_cast<double>(tile.all_threads());
        for (const int64_t split : {8, 16, 32, 64}) {
            const bool few = threads < static_cast<double>(gpu.compute_units) * kPreferredThreads;
            if (few && !roles.windowed && reduction >= static_cast<double>(4 * split)) {
                add(split);
            }
        }
    }
    return sorted_ways(std::move(candidates), subject.extents);
}

std::vector<Workgroup> elementwise_workgroups(const NestSubject &subject) {
    const Gpu &gpu = subject.machine.gpu;
    const double lanes = gpu.simds * gpu.simd_lanes;
    const double operations = operation_count(subject.parts, subject.extents);
    double elements = 1.0;
    for (const int64_t extent : subject.extents) {
        elements *= static_cast<double>(std::max<int64_t>(extent, 1));
    }
    std::vector<Workgroup> ways;
    for (const int column : long_axes(subject, subject.natural_order.back())) {
        std::vector<Candidate> candidates;
        std::vector<int> rows = long_axes(subject, -1);
        std::erase(rows, column);
        for (const GpuTile &tile : plain_tiles(subject.extents, column, rows)) {
            Candidate c{tile};
            const double workgroups = workgroups_of(tile, subject.extents);
            const double waves = std::ceil(static_cast<double>(tile.all_threads()) / gpu.wavefront);
            const double computed = workgroups * waves * gpu.wavefront * tile_elements(tile);
            c.registers = static_cast<int>(3.0 * tile_elements(tile)) + kOtherRegisters;
            c.cycles = operations * computed / elements / lanes /
                       subject.machine.operations_per_cycle *
                       line_share(tile, subject.result().element_bytes);
            c.estimate = alone(gpu, c, subject.extents, 0.0);
            candidates.push_back(c);
        }
        const std::vector<Workgroup> sorted = sorted_ways(std::move(candidates), subject.extents);
        ways.insert(ways.end(), sorted.begin(), sorted.end());
    }
    return ways;
}

std::vector<Workgroup> row_workgroups(const NestSubject &subject) {
    const Gpu &gpu = subject.machine.gpu;
    const double operations = operation_count(subject.parts, subject.extents);
    const int column = subject.natural_order.back();
    std::vector<Candidate> candidates;
    for (const int64_t threads : {32, 64, 128, 256}) {
        Candidate c{GpuTile(static_cast<int>(subject.extents.size()))};
        c.tile.column_axis = column;
        c.tile.whole_rows = true;
        set(c.tile.threads, column, threads);
        const int64_t columns = at(subject.extents, column);
        const double idle = static_cast<double>(ceil_div(columns, threads) * threads) /
                            static_cast<double>(std::max<int64_t>(columns, 1));
        c.cycles =
            operations * idle / (gpu.simds * gpu.simd_lanes) / subject.machine.operations_per_cycle;
        c.estimate = alone(gpu, c, subject.extents, 0.0);
        candidates.push_back(c);
    }
    return sorted_ways(std::move(candidates), subject.extents);
}

}  // namespace emulsion
