#include "autoscheduler/templates/support/tile_choice.h"

#include <algorithm>
#include <cmath>

#include "autoscheduler/templates/support/parameters.h"
#include "fusion/ceil_div.h"

namespace emulsion {

namespace {

// Fused multiply-adds and vector loads that a core starts per cycle, and their latency in cycles: what
// current x86 cores with two vector pipes have, the latency with some slack for imperfect order.
constexpr double kFmaPerCycle = 2.0;
constexpr double kLoadsPerCycle = 2.0;
constexpr double kFmaLatency = 5.0;
constexpr int64_t kMostWidth = 28;
// A reduction loop's body of this many multiply-adds hides the loop itself.
constexpr int64_t kUnrolledOperations = 48;

int64_t outer_trips(const NestSubject &subject, const ReductionRoles &roles) {
    int64_t trips = 1;
    for (int axis : roles.outer_axes) {
        trips *= extent_of(subject, axis);
    }
    return trips;
}

double waste(int64_t extent, int64_t step) {
    return static_cast<double>(ceil_div(extent, step) * step) / static_cast<double>(extent);
}

// Cycles per useful vector multiply-add of a register block, `reduction_bytes` of weights per column.
double block_cost(const RegisterTile &t, int64_t columns, int64_t width, int64_t height,
                  int64_t reduction_bytes, const Machine &machine) {
    const auto points = static_cast<double>(t.width * t.height);
    const auto accumulators = static_cast<double>(t.vectors) * points;
    const double registers = accumulators + static_cast<double>(t.vectors) + 1;
    if (registers > machine.vector_registers) {
        return 1e30;
    }
    const double fma = 1.0 / kFmaPerCycle;
    const double loads = (static_cast<double>(t.vectors) + points) / accumulators / kLoadsPerCycle;
    const double latency = kFmaLatency / accumulators;
    // Every block of points walks all weights of its columns: from the private cache, if they fit.
    const bool fits = static_cast<double>(t.block() * reduction_bytes) <
                      kCacheShare * static_cast<double>(machine.l2_bytes);
    const double stream = static_cast<double>(machine.vector_bytes) / points /
                          (fits ? machine.private_bytes_per_cycle : machine.shared_bytes_per_cycle);
    // Loads that hide behind the arithmetic still cost a little: they share queues and bandwidth.
    const double cycles = std::max({fma, loads, latency, stream}) + 0.08 * (loads + stream);
    return cycles * waste(columns, t.block()) * waste(width, t.width) * waste(height, t.height);
}

// How a nest is cut into parallel tasks.
struct Tasks {
    int64_t rows, columns, outer;
    double imbalance;  // time of the busiest worker over that of an even share

    double count() const { return static_cast<double>(rows * columns * outer); }
};

Tasks tasks_of(const NestSubject &subject, const ReductionRoles &roles, const RegisterTile &t) {
    const int row_axis = t.height_axis >= 0 ? t.height_axis : t.width_axis;
    const int64_t rows = extent_of(subject, row_axis);
    Tasks tasks{ceil_div(rows, t.task_rows), ceil_div(extent_of(subject, t.column_axis), t.block()),
                outer_trips(subject, roles), 1.0};
    const int threads = subject.machine.threads;
    const double rounds = std::ceil(tasks.count() / threads);
    tasks.imbalance = rounds * threads / tasks.count() * waste(rows, t.task_rows);
    return tasks;
}

// Cycles of the busiest worker for one choice of tasks.
double task_cost(const NestSubject &subject, const ReductionRoles &roles, const RegisterTile &t,
                 double multiply_adds) {
    const Machine &machine = subject.machine;
    const auto [row_tasks, column_tasks, outer, imbalance] = tasks_of(subject, roles, t);
    const auto tasks = static_cast<double>(row_tasks * column_tasks * outer);

    const auto bytes = static_cast<double>(subject.parts.front().element_bytes);
    const double weights_block = static_cast<double>(t.block() * roles.reduction_size()) * bytes;
    const double weights_all = weights_block * static_cast<double>(column_tasks);
    const auto input_points = static_cast<double>(
        extent_of(subject, t.width_axis) * extent_of(subject, t.height_axis) * roles.channels);
    const double input_task =
        input_points * bytes / static_cast<double>(row_tasks) * (roles.windowed ? 1.2 : 1.0);
    const double input_all = input_task * static_cast<double>(row_tasks);
    const auto l2 = static_cast<double>(machine.l2_bytes) * kCacheShare;
    // What stays in the private cache from one task to the next is not read again.
    double traffic = 0.0;
    if (t.columns_outermost) {
        traffic =
            weights_all * (weights_block < l2 ? 1.0 : static_cast<double>(row_tasks)) +
            input_all * (input_all + weights_block < l2 ? 1.0 : static_cast<double>(column_tasks));
    } else {
        traffic =
            input_all * (input_task < l2 ? 1.0 : static_cast<double>(column_tasks)) +
            weights_all * (weights_all + input_task < l2 ? 1.0 : static_cast<double>(row_tasks));
    }
    traffic *= static_cast<double>(outer);
    const double per_thread = 1.0 / machine.threads;
    return multiply_adds * imbalance * per_thread +
           traffic * per_thread / machine.shared_bytes_per_cycle +
           tasks * per_thread * machine.task_cycles;
}

TileCost choose_tasks(const NestSubject &subject, const ReductionRoles &roles, RegisterTile &tile,
                      double multiply_adds) {
    const int row_axis = tile.height_axis >= 0 ? tile.height_axis : tile.width_axis;
    const int64_t step = tile.height_axis >= 0 ? tile.height : tile.width;
    const int64_t rows = extent_of(subject, row_axis);
    double best = 1e300;
    RegisterTile chosen = tile;
    const int64_t trips = ceil_div(rows, step);
    for (int64_t tiles = 1; tiles <= trips; tiles = tiles < 64 ? tiles + 1 : tiles * 2) {
        for (bool columns_outermost : {false, true}) {
            RegisterTile t = tile;
            t.task_rows = tiles * step;
            t.columns_outermost = columns_outermost;
            const double cost = task_cost(subject, roles, t, multiply_adds);
            if (cost < best) {
                best = cost;
                chosen = t;
            }
        }
    }
    tile = chosen;
    return {multiply_adds, tasks_of(subject, roles, tile).imbalance};
}

// The largest divisor of `extent` that is at most `most`: unrolling by it needs no test.
int64_t largest_divisor(int64_t extent, int64_t most) {
    for (int64_t d = std::min(extent, std::max<int64_t>(most, 1)); d > 1; d--) {
        if (extent % d == 0) {
            return d;
        }
    }
    return 1;
}

}  // namespace

TileCost choose_contraction_tile(const NestSubject &subject, const ReductionRoles &roles,
                                 RegisterTile &tile) {
    const int64_t columns = extent_of(subject, tile.column_axis);
    const int64_t width = extent_of(subject, tile.width_axis);
    const int64_t height = extent_of(subject, tile.height_axis);
    const int64_t most_vectors =
        tile.padded ? ceil_div(columns, tile.vector) : std::max<int64_t>(columns / tile.vector, 1);
    const int64_t reduction_bytes = roles.reduction_size() * roles.reduction->element_bytes;
    double best = 1e300;
    RegisterTile chosen = tile;
    for (int64_t vectors = 1; vectors <= std::min<int64_t>(most_vectors, 8); vectors++) {
        for (int64_t h = 1; h <= std::min<int64_t>(height, 4); h++) {
            for (int64_t w = 1; w <= std::min(width, kMostWidth); w++) {
                RegisterTile t = tile;
                t.vectors = vectors;
                t.width = w;
                t.height = h;
                // Blocks of one row share less between their taps, but need no second row: only a
                // clear gain pays for a taller block.
                const double cost =
                    block_cost(t, columns, width, height, reduction_bytes, subject.machine) *
                    (1.0 + 0.01 * static_cast<double>(h - 1));
                if (cost < best) {
                    best = cost;
                    chosen = t;
                }
            }
        }
    }
    tile = chosen;
    const int64_t operations = tile.vectors * tile.width * tile.height;
    tile.unroll = largest_divisor(roles.inner_channels,
                                  std::max<int64_t>(kUnrolledOperations / operations, 2));
    double multiply_adds = best * static_cast<double>(roles.reduction_size()) *
                           static_cast<double>(columns) / static_cast<double>(tile.vector);
    multiply_adds *= static_cast<double>(width * height * outer_trips(subject, roles));
    return choose_tasks(subject, roles, tile, multiply_adds);
}

double choose_single_row(const NestSubject &subject, const ReductionRoles &roles,
                         RegisterTile &tile) {
    const int64_t width = extent_of(subject, tile.width_axis);
    const int64_t reduction_bytes = roles.reduction_size() * roles.reduction->element_bytes;
    const auto cost = [&](const RegisterTile &t) {
        return block_cost(t, extent_of(subject, tile.column_axis), width,
                          extent_of(subject, tile.height_axis), reduction_bytes, subject.machine);
    };
    const double before = cost(tile);
    RegisterTile best = tile;
    best.height = 1;
    for (int64_t w = 1; w <= std::min(width, kMostWidth); w++) {
        RegisterTile t = tile;
        t.height = 1;
        t.width = w;
        if (cost(t) < cost(best)) {
            best = t;
        }
    }
    tile = best;
    return cost(tile) / before;
}

TileCost choose_lanewise_tile(const NestSubject &subject, const ReductionRoles &roles,
                              RegisterTile &tile) {
    // Enough independent accumulators to hide the latency, and few enough that the taps' weights
    // stay in registers beside them.
    const int64_t columns = extent_of(subject, tile.column_axis);
    const int64_t width = extent_of(subject, tile.width_axis);
    const int64_t most = subject.machine.vector_registers / 4;
    tile.vectors = columns >= 2 * tile.vector ? 2 : 1;
    double best = 1e300;
    int64_t chosen = 1;
    for (int64_t w = 1; w <= std::min(width, most / tile.vectors); w++) {
        const double overlap = 1.0 + 2.0 / static_cast<double>(w);  // columns read per column made
        const double cost = waste(width, w) * (1.0 + 0.2 * overlap);
        if (cost < best) {
            best = cost;
            chosen = w;
        }
    }
    tile.width = chosen;
    constexpr int64_t kMostUnrolledTaps = 25;
    tile.unroll_window = roles.taps <= kMostUnrolledTaps;
    const auto multiply_adds =
        static_cast<double>(roles.reduction_size() * ceil_div(columns, tile.vector) * width *
                            extent_of(subject, tile.height_axis) * outer_trips(subject, roles));
    return choose_tasks(subject, roles, tile, multiply_adds);
}

}  // namespace emulsion
