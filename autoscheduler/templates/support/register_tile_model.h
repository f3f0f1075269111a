// What register tiles take: a small model of one core, of the kind that explains why 14 x 2 and 8 x 3 vectors reach the
// peak of a machine with 32 registers and 7 x 4 does not.
#pragma once

#include "autoscheduler/templates/support/register_tile.h"
#include "autoscheduler/templates/support/roles.h"
#include "fusion/nest_estimate.h"

namespace emulsion {

// What whole steps cover of an extent, over the extent.
double covered_share(int64_t extent, int64_t step);

class RegisterTileModel : public NestModel {
public:
    // Of sums of products whose columns only one factor has, or (`lanewise`) of a reduction whose lanes are
    // independent.
    RegisterTileModel(const NestSubject &subject, const ReductionRoles &roles, bool lanewise);

    NestEstimate estimate(const Nest &nest, const Machine &machine) const override;
    NestEstimate estimate(const RegisterTile &tile, const CpuMachine &machine) const;
    std::vector<Nest> suggest(const Nest &nest, const Machine &machine) const override;

    // Cycles for each useful vector of multiply-adds in a tile of a sum of products, waste at the edges included.
    double block_cost(const RegisterTile &tile, const CpuMachine &machine) const;
    // Of the busiest core for everything, where the arithmetic of all takes `cycles` of one core: what decides
    // between ways to cut the same tiles into tasks.
    double task_cost(const RegisterTile &tile, double cycles, const CpuMachine &machine) const;

    // Whether vectors run along planes that coefficients are summed over.
    bool is_planar() const { return planar_ && !lanewise_; }
    // Whether nothing that a row of a plane reads is read by another.
    bool reads_rows_once() const { return planar_ && lanewise_ && !windows_overlap_; }
    // Whether rows leave out steps, each others: a tile of several would ask at every step.
    bool rows_differ() const { return live_ < 1.0; }
    // Of the result; 1 where the tile has no such axis.
    int64_t columns() const { return columns_; }
    int64_t width() const { return width_; }
    int64_t height() const { return height_; }
    int64_t inner_channels() const { return inner_channels_; }
    // Of a sum of products, one matrix for each of the outer axes.
    double weight_bytes() const;

private:
    struct Tasks {
        double rows, columns, outer;
        double imbalance;  // time of the busiest worker over that of an even share

        double count() const { return rows * columns * outer; }
    };

    Tasks tasks_of(const RegisterTile &tile, const CpuMachine &machine) const;
    // Bytes that all tasks read; and that they would, if each read them from a cache of its own.
    double traffic(const RegisterTile &tile, const Tasks &tasks, const CpuMachine &machine) const;
    double least_traffic() const;
    // Cycles for each vector of multiply-adds: of those themselves, where everything is in registers, and of what comes
    // on top in tiles that the planner doesn't choose.
    double multiply_add(const RegisterTile &tile, const CpuMachine &machine) const;
    // Whether so many points can't stay in the first-level cache beside each other while their channels are walked.
    bool has_conflicts(int64_t points) const;
    double overhead(const RegisterTile &tile, const CpuMachine &machine) const;
    double edge_waste(const RegisterTile &tile) const;
    double cycles_of(const RegisterTile &tile, const CpuMachine &machine) const;

    bool lanewise_, windowed_, planar_, windows_overlap_;
    int64_t columns_, group_columns_, column_stride_, width_, height_, outer_ = 1;
    int64_t channels_, taps_, inner_channels_;
    double live_;
    ElementType operand_, accumulator_;
    int64_t element_bytes_, read_bytes_;  // of the reduction's elements, and of the first part's

    int64_t reduction_size() const { return channels_ * taps_; }
};

}  // namespace emulsion
