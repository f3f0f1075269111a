// Convolutions and matrix products on a GPU.
#include <algorithm>
#include <memory>

#include "autoscheduler/templates/support/contraction.h"
#include "autoscheduler/templates/support/gpu_candidates.h"
#include "autoscheduler/templates/support/parameters.h"

namespace emulsion {

namespace {

// Sums of a thread, at most, and rows that it reads from scalar registers: what leaves room for everything else.
constexpr int64_t kMostSums = 64;
constexpr int64_t kMostScalarRows = 16;

constexpr int kMostContractionRegisters = 128;
constexpr double kPartCycles = 100.0;  // to add up the parts of a sum that threads share

// What tiles of a sum of products take whose columns only one operand has.
class GpuContractionModel : public NestModel {
public:
    GpuContractionModel(const NestSubject &subject, const ReductionRoles &roles)
        : extents_(subject.extents), reduction_(static_cast<double>(roles.reduction_size())),
          channels_(static_cast<double>(roles.channels)), bytes_(roles.reduction->type.bytes()) {}

    NestEstimate estimate(const Nest &nest, const Machine &machine) const override {
        return estimate(GpuTile(nest, static_cast<int>(extents_.size())), machine.gpu().chip);
    }

    NestEstimate estimate(const GpuTile &tile, const Gpu &gpu) const {
        const int64_t columns = extent_at(tile.tile, tile.column_axis);
        const int64_t rows = rows_of(tile);
        // Where all lanes of every wave have columns, rows are the same for all of them.
        const bool scalar = extent_at(tile.threads, tile.column_axis) % gpu.wavefront == 0;
        const auto step_of = [&](int64_t vectors) {
            return step_cycles(
                gpu, static_cast<double>(columns * rows), static_cast<double>(vectors * bytes_),
                static_cast<double>(columns + rows) / static_cast<double>(tile.unroll));
        };
        const int registers = static_cast<int>(columns * rows + columns * tile.unroll +
                                               (scalar ? 0 : rows * tile.unroll)) +
                              kOtherRegisters;
        const int kept =
            std::min(registers, most_registers(gpu, static_cast<int>(tile.all_threads())));
        const double spilled = static_cast<double>(registers) / kept;
        const double workgroups = workgroups_of(tile, extents_);
        const double waves = waves_of(tile, gpu);
        const auto split = static_cast<double>(tile.split);
        const auto cycles = [&](int64_t vectors) {
            const double parts = tile.split > 1 ? kPartCycles * tile_elements(tile) : 0.0;
            return workgroups * (waves * reduction_ / split * step_of(vectors) * spilled + parts);
        };
        NestEstimate found;
        found.cycles = cycles(columns + (scalar ? 0 : rows));
        if (tile.split == 1) {
            found.fed_cycles = cycles(columns);
        }
        found.workgroup = workgroup_of(tile, extents_, kept);
        return found;
    }

    // Of a workgroup, from memory, and of its lanes, from a panel.
    double read_bytes(const GpuTile &tile) const {
        const auto block_columns = static_cast<double>(tile.block(tile.column_axis));
        double block_rows = 1.0;
        for (const int axis : tile.axes()) {
            block_rows *= axis == tile.column_axis ? 1.0 : static_cast<double>(tile.block(axis));
        }
        return static_cast<double>(bytes_) * (block_columns * reduction_ + block_rows * channels_);
    }
    double lds_read_bytes(const GpuTile &tile) const {
        return static_cast<double>(tile.all_threads() * rows_of(tile) * bytes_) * reduction_;
    }

private:
    // Of a thread.
    static int64_t rows_of(const GpuTile &tile) {
        int64_t rows = 1;
        for (const int axis : tile.axes()) {
            rows *= axis == tile.column_axis ? 1 : extent_at(tile.tile, axis);
        }
        return rows;
    }

    std::vector<int64_t> extents_;
    double reduction_, channels_;
    int64_t bytes_;
};

// Tiles worth considering.
class Contraction {
public:
    Contraction(const NestSubject &subject, const ReductionRoles &roles,
                const GpuContractionModel &model)
        : subject_(subject), roles_(roles), model_(model), gpu_(subject.machine.gpu().chip),
          columns_(extent_of(subject, roles.column_axis)),
          width_(extent_of(subject, roles.width_axis)),
          height_(extent_of(subject, roles.height_axis)) {}

    std::vector<GpuTile> ways() {
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
        GpuTile tile(static_cast<int>(subject_.extents.size()));
        tile.column_axis = roles_.column_axis;
        set_at(tile.tile, roles_.column_axis, tile_c);
        set_at(tile.threads, roles_.column_axis, threads_c);
        set_at(tile.tile, roles_.width_axis, tile_w);
        set_at(tile.threads, roles_.width_axis, threads_w);
        set_at(tile.tile, roles_.height_axis, tile_h);
        set_at(tile.threads, roles_.height_axis, threads_h);
        const int64_t unroll = std::min<int64_t>(kUnrolledSteps, roles_.inner_channels);
        tile.unroll = roles_.inner_channels % unroll == 0 ? unroll : 1;
        GpuCandidate c{tile, model_.estimate(tile, gpu_)};
        if (c.nest.workgroup->registers > kMostContractionRegisters) {
            return;
        }
        c.alone = alone_cycles(gpu_, c.nest, subject_.extents, model_.read_bytes(tile));
        c.fed = fed_cycles(gpu_, c.nest, subject_.extents, model_.read_bytes(tile),
                           model_.lds_read_bytes(tile));
        candidates_.push_back(c);
        add_split(tile);
    }

    // Few results of long sums keep few threads busy.
    void add_split(const GpuTile &whole) {
        const double waves = waves_of(whole, gpu_) * workgroups_of(whole, subject_.extents);
        if (waves > gpu_.compute_units * gpu_.simds || tile_elements(whole) > kMostSplitSums ||
            extent_at(whole.threads, roles_.height_axis) > 1) {
            return;
        }
        for (const int64_t split : {4, 8, 16, 32}) {
            GpuTile tile = whole;
            tile.split = split;
            if (tile.all_threads() > kMostWorkgroupThreads ||
                split * kShortestPart > roles_.channels) {
                continue;
            }
            GpuCandidate c{tile, model_.estimate(tile, gpu_)};
            c.alone = alone_cycles(gpu_, c.nest, subject_.extents, 0.0) + 1.0;
            candidates_.push_back(c);
        }
    }

    static constexpr double kMostSplitSums = 8.0;
    static constexpr int64_t kShortestPart = 8;  // of a sum: steps

    const NestSubject &subject_;
    const ReductionRoles &roles_;
    const GpuContractionModel &model_;
    const Gpu &gpu_;
    int64_t columns_, width_, height_;
    std::vector<GpuCandidate> candidates_;
};

std::optional<NestOffer> offer_gpu_contraction(const NestSubject &subject) {
    const auto roles = contraction_roles(subject);
    if (!roles) {
        return std::nullopt;
    }
    NestOffer offer_gpu_contraction;
    const auto model = std::make_shared<GpuContractionModel>(subject, *roles);
    offer_gpu_contraction.space =
        gpu_tile_space("gpu_contraction", Contraction(subject, *roles, *model).ways(), model,
                       subject.extents, subject.machine, roles->taps);
    like_columns_innermost(subject, *roles, offer_gpu_contraction);
    like_channels_innermost(*roles, offer_gpu_contraction);
    return offer_gpu_contraction;
}

}  // namespace

const NestTemplate &nest_template_gpu_contraction() {
    static const NestTemplate t{
        .name = "gpu_contraction",
        .description = "sums of products on a GPU: a tile of them in each thread's registers",
        .rank = 10,
        .offer = offer_gpu_contraction,
        .apply = apply_gpu_tile,
        .bounds = gpu_tile_bounds,
        .for_gpu = true,
        .smaller = smaller_gpu_tile,
    };
    return t;
}

}  // namespace emulsion
