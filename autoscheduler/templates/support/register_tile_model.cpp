#include "autoscheduler/templates/support/register_tile_model.h"

#include <algorithm>
#include <cmath>

#include "autoscheduler/templates/support/tile_choice.h"
#include "fusion/cache_sets.h"
#include "fusion/ceil_div.h"

namespace emulsion {

namespace {

// A sum's way from and to memory; the end of a loop's step, of which unrolled loops hide this much for each
// multiply-add.
constexpr double kSpillCycles = 1.5;
constexpr double kStepCycles = 2.0;
constexpr double kHiddenSteps = 0.05;
// What it takes to load a point that has been driven out of the first-level cache: a product of 1024 x 1024 floats takes
// 1.2 times as long with tiles of 13 rows as one of 1000 x 1000.
constexpr double kConflictCycles = 0.4;
// A vector of every s-th element is s loads and s - 1 instructions that pick elements, which wait for the units that
// multiply and add; from so many loads on, elements are loaded one by one.
constexpr double kPickCycles = 1.5;
constexpr double kMostLoads = 16.0;
// Of what a wide vector takes, at least.
constexpr double kNarrowVector = 0.5;
// Loads for the first one of another plane: it is in another page.
constexpr double kPlaneLoad = 2.0;

double loads_of_strided(int64_t stride) {
    return std::min(static_cast<double>(stride), kMostLoads);
}

double picks_of_strided(int64_t stride) { return loads_of_strided(stride) - 1.0; }

}  // namespace

double covered_share(int64_t extent, int64_t step) {
    return static_cast<double>(ceil_div(extent, step) * step) / static_cast<double>(extent);
}

RegisterTileModel::RegisterTileModel(const NestSubject &subject, const ReductionRoles &roles,
                                     bool lanewise)
    : lanewise_(lanewise), windowed_(roles.windowed), planar_(subject.vector_axis >= 0),
      windows_overlap_(roles.windows_overlap), columns_(extent_of(subject, roles.column_axis)),
      group_columns_(roles.group_columns),
      column_stride_(std::max<int64_t>(roles.column_stride, 1)),
      width_(extent_of(subject, roles.width_axis)), height_(extent_of(subject, roles.height_axis)),
      channels_(roles.channels), taps_(roles.taps), inner_channels_(roles.inner_channels),
      live_(roles.live), operand_(roles.operand), accumulator_(roles.reduction->type),
      element_bytes_(accumulator_.bytes()), read_bytes_(subject.parts.front().type.bytes()) {
    for (const int axis : roles.outer_axes) {
        outer_ *= extent_of(subject, axis);
    }
}

double RegisterTileModel::edge_waste(const RegisterTile &t) const {
    // A tile of more columns than there are leaves out the vectors beyond them.
    const bool cut = !t.padded && t.block() > columns_;
    return covered_share(columns_, cut ? t.vector : t.block()) * covered_share(width_, t.width) *
           covered_share(height_, t.height);
}

// Points lie as far apart as they have channels.
bool RegisterTileModel::has_conflicts(int64_t points) const {
    const int64_t apart = channels_ * read_bytes_;
    // One line of a set has weights.
    return ceil_div(points, places_of(apart)) > kSetLines - 1;
}

double RegisterTileModel::block_cost(const RegisterTile &t, const CpuMachine &machine) const {
    return multiply_add(t, machine) * edge_waste(t);
}

double RegisterTileModel::multiply_add(const RegisterTile &t, const CpuMachine &machine) const {
    if (lanewise_) {
        const double width = static_cast<double>(t.vector * element_bytes_) / machine.vector_bytes;
        return (loads_of_strided(column_stride_) + picks_of_strided(column_stride_)) *
               std::clamp(width, kNarrowVector, 1.0);
    }
    // One vector after the other, where the tile isn't unrolled.
    const double vectors = t.unroll_tile ? static_cast<double>(t.vectors) : 1.0;
    const double points = t.unroll_tile ? static_cast<double>(t.width * t.height) : 1.0;
    const double accumulators = vectors * points;
    const VectorRates rates = machine.rates(operand_, accumulator_);
    // Each group of the tile's columns reads points of its own.
    const double groups = group_columns_ > 0 ? std::ceil(vectors * static_cast<double>(t.vector) /
                                                         static_cast<double>(group_columns_))
                                             : 1.0;
    // Every channel's columns lie in a plane of their own.
    const double vector_loads =
        vectors * loads_of_strided(column_stride_) + (planar_ ? kPlaneLoad : 0.0);
    const double picks = vectors * picks_of_strided(column_stride_) * kPickCycles / accumulators;
    const double loads = (vector_loads + points * groups) / accumulators * rates.load;
    const double latency = rates.multiply_add_latency / accumulators;
    // Every block of points walks all weights of its columns: from the private cache, if they fit.
    // (Taps of planes overlap.)
    const int64_t walked = planar_ ? channels_ : reduction_size();
    const auto weights = static_cast<double>(t.block() * walked * element_bytes_);
    const double stream = static_cast<double>(machine.vector_bytes) / points /
                          machine.cached_bytes_per_cycle(weights);
    // Loads that hide behind the arithmetic still cost a little: they share queues and bandwidth.
    const double conflicts = !planar_ && has_conflicts(t.width * t.height)
                                 ? points / accumulators * kConflictCycles
                                 : 0.0;
    return std::max({rates.multiply_add + picks, loads, latency, stream}) +
           0.08 * (loads + stream) + conflicts;
}

double RegisterTileModel::overhead(const RegisterTile &t, const CpuMachine &machine) const {
    const double sums = t.unroll_tile ? static_cast<double>(t.vectors * t.width * t.height) : 1.0;
    // Sums that have no register are loaded and stored at every step.
    const double wide =
        std::ceil(static_cast<double>(t.vector * element_bytes_) / machine.vector_bytes);
    const double kept = machine.vector_registers / wide - static_cast<double>(t.vectors) - 1.0;
    const double spilled = std::max(sums - std::max(kept, 1.0), 0.0) / sums * kSpillCycles;
    // Steps of the loop, less those that a well unrolled one has.
    const auto taps = static_cast<double>(t.unroll_window ? taps_ : 1);
    const double steps =
        std::max(kStepCycles / (sums * static_cast<double>(t.unroll) * taps) - kHiddenSteps, 0.0);
    // Steps that don't divide the channels are tested one by one.
    const double tests = inner_channels_ % t.unroll == 0 ? 0.0 : kStepCycles / sums;
    return (spilled + steps + tests) * wide + (wide - 1.0) * multiply_add(t, machine);
}

double RegisterTileModel::cycles_of(const RegisterTile &t, const CpuMachine &machine) const {
    return (multiply_add(t, machine) + overhead(t, machine)) * edge_waste(t) * live_ *
           static_cast<double>(reduction_size()) * static_cast<double>(columns_) /
           static_cast<double>(t.vector) * static_cast<double>(width_ * height_ * outer_);
}

RegisterTileModel::Tasks RegisterTileModel::tasks_of(const RegisterTile &t,
                                                     const CpuMachine &machine) const {
    const int64_t rows = t.height_axis >= 0 ? height_ : width_;
    Tasks tasks{static_cast<double>(ceil_div(rows, t.task_rows)),
                t.columns_inside ? 1.0 : static_cast<double>(ceil_div(columns_, t.block())),
                static_cast<double>(outer_), 1.0};
    const double rounds = std::ceil(tasks.count() / machine.threads);
    tasks.imbalance = rounds * machine.threads / tasks.count() * covered_share(rows, t.task_rows);
    return tasks;
}

double RegisterTileModel::traffic(const RegisterTile &t, const Tasks &tasks,
                                  const CpuMachine &machine) const {
    const auto bytes = static_cast<double>(read_bytes_);
    const double weights_block = static_cast<double>(t.block() * reduction_size()) * bytes;
    const double weights_all = weights_block * tasks.columns;
    const auto input_points = static_cast<double>(width_ * height_ * channels_);
    const double input_task = input_points * bytes / tasks.rows * (windowed_ ? 1.2 : 1.0);
    const double input_all = input_task * tasks.rows;
    // What stays in the private cache from one task to the next is not read again.
    double read = 0.0;
    if (t.columns_outermost) {
        read = weights_all * (machine.stays_private(weights_block) ? 1.0 : tasks.rows) +
               input_all * (machine.stays_private(input_all + weights_block) ? 1.0 : tasks.columns);
    } else {
        read = input_all * (machine.stays_private(input_task) ? 1.0 : tasks.columns) +
               weights_all * (machine.stays_private(weights_all + input_task) ? 1.0 : tasks.rows);
    }
    return read * tasks.outer;
}

double RegisterTileModel::weight_bytes() const {
    return static_cast<double>(columns_ * reduction_size() * outer_ * read_bytes_);
}

double RegisterTileModel::least_traffic() const {
    const auto weights = static_cast<double>(columns_ * reduction_size());
    const auto input = static_cast<double>(width_ * height_ * channels_);
    return (weights + input * (windowed_ ? 1.2 : 1.0)) * static_cast<double>(read_bytes_ * outer_);
}

double RegisterTileModel::task_cost(const RegisterTile &t, double cycles,
                                    const CpuMachine &machine) const {
    const Tasks tasks = tasks_of(t, machine);
    const double per_thread = 1.0 / machine.threads;
    return cycles * tasks.imbalance * per_thread +
           traffic(t, tasks, machine) * per_thread / machine.shared_bytes_per_cycle +
           tasks.count() * per_thread * machine.task_cycles;
}

NestEstimate RegisterTileModel::estimate(const RegisterTile &t, const CpuMachine &machine) const {
    const Tasks tasks = tasks_of(t, machine);
    NestEstimate found;
    found.cycles = cycles_of(t, machine);
    found.imbalance = t.serial ? machine.threads : tasks.imbalance;
    found.tasks = t.serial ? 1.0 : tasks.count();
    found.reread_bytes = std::max(traffic(t, tasks, machine) - least_traffic(), 0.0);
    return found;
}

NestEstimate RegisterTileModel::estimate(const Nest &nest, const Machine &machine) const {
    return estimate(RegisterTile(nest), machine.cpu());
}

std::vector<Nest> RegisterTileModel::suggest(const Nest &nest, const Machine &machine) const {
    return suggested_tiles(*this, nest, machine.cpu());
}

}  // namespace emulsion
