// Convolutions and matrix products on a GPU.
#include <algorithm>
#include <cmath>

#include "autoscheduler/templates/support/contraction.h"
#include "autoscheduler/templates/support/gpu_candidates.h"
#include "autoscheduler/templates/support/parameters.h"

namespace emulsion {

namespace {

// Sums of a thread, at most, and rows that it reads from scalar registers: what leaves room for everything else.
constexpr int64_t kMostSums = 64;
constexpr int64_t kMostScalarRows = 16;

// Workgroups for a sum of products whose columns only one operand has.
class Contraction {
public:
    Contraction(const NestSubject &subject, const ReductionRoles &roles)
        : subject_(subject), roles_(roles), gpu_(subject.machine.gpu),
          columns_(extent_of(subject, roles.column_axis)),
          width_(extent_of(subject, roles.width_axis)),
          height_(extent_of(subject, roles.height_axis)), bytes_(roles.reduction->element_bytes) {}

    std::vector<Workgroup> ways() {
        for (const int64_t tile_c : {1, 2, 4, 8}) {
            for (const int64_t threads_c : sizes_up_to(columns_ / tile_c, kMostWorkgroupThreads)) {
                if (tile_c * threads_c <= columns_) {
                    add_rows(tile_c, threads_c);
                }
            }
        }
        return sorted_ways(candidates_, subject_.extents);
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
        GpuCandidate c{GpuTile(static_cast<int>(subject_.extents.size()))};
        c.tile.column_axis = roles_.column_axis;
        set_at(c.tile.tile, roles_.column_axis, tile_c);
        set_at(c.tile.threads, roles_.column_axis, threads_c);
        set_at(c.tile.tile, roles_.width_axis, tile_w);
        set_at(c.tile.threads, roles_.width_axis, threads_w);
        set_at(c.tile.tile, roles_.height_axis, tile_h);
        set_at(c.tile.threads, roles_.height_axis, threads_h);
        const int64_t rows = tile_w * tile_h;
        const int64_t unroll = std::min<int64_t>(kUnrolledSteps, roles_.inner_channels);
        c.tile.unroll = roles_.inner_channels % unroll == 0 ? unroll : 1;
        // Where all lanes of every wave have columns, rows are the same for all of them.
        const bool scalar = threads_c % gpu_.wavefront == 0;
        const auto step_of = [&](int64_t vectors) {
            return step_cycles(
                gpu_, static_cast<double>(tile_c * rows), static_cast<double>(vectors * bytes_),
                static_cast<double>(tile_c + rows) / static_cast<double>(c.tile.unroll));
        };
        const double step = step_of(tile_c + (scalar ? 0 : rows));
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
        c.fed_cycles = workgroups * waves * reduction * step_of(tile_c);
        const double block_rows = static_cast<double>(rows * threads_w * threads_h);
        const double block_columns = static_cast<double>(tile_c * threads_c);
        const double read_bytes =
            static_cast<double>(bytes_) *
            (block_columns * reduction + block_rows * static_cast<double>(roles_.channels));
        c.estimate = alone_cycles(gpu_, c, subject_.extents, read_bytes);
        c.fed_estimate = fed_cycles(gpu_, c, subject_.extents, read_bytes,
                                    threads * reduction * static_cast<double>(rows * bytes_));
        candidates_.push_back(c);
        add_split(c, waves * workgroups, step);
    }

    // Few results of long sums keep few threads busy.
    void add_split(const GpuCandidate &whole, double waves, double step) {
        if (waves > gpu_.compute_units * gpu_.simds || tile_elements(whole.tile) > kMostSplitSums ||
            extent_at(whole.tile.threads, roles_.height_axis) > 1) {
            return;
        }
        for (const int64_t split : {4, 8, 16, 32}) {
            GpuCandidate c = whole;
            c.fed_cycles = c.fed_estimate = std::nullopt;
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
            c.estimate = alone_cycles(gpu_, c, subject_.extents, 0.0) + 1.0;
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
    std::vector<GpuCandidate> candidates_;
};

std::optional<NestOffer> offer_gpu_contraction(const NestSubject &subject) {
    const auto roles = contraction_roles(subject);
    if (!roles) {
        return std::nullopt;
    }
    NestOffer offer_gpu_contraction;
    offer_gpu_contraction.space =
        gpu_tile_space("gpu_contraction", Contraction(subject, *roles).ways(), subject.extents);
    like_columns_innermost(subject, *roles, offer_gpu_contraction);
    like_channels_innermost(*roles, offer_gpu_contraction);
    return offer_gpu_contraction;
}

}  // namespace

const NestTemplate &nest_template_gpu_contraction() {
    static const NestTemplate t{
        "gpu_contraction",
        "sums of products on a GPU: a tile of them in each thread's registers",
        10,
        offer_gpu_contraction,
        apply_gpu_tile,
        gpu_tile_bounds,
        true,
        smaller_gpu_tile};
    return t;
}

}  // namespace emulsion
