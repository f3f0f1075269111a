// Depthwise convolutions, pools and sums over whole axes on a GPU.
#include <algorithm>
#include <cmath>
#include <memory>

#include "autoscheduler/templates/support/contraction.h"
#include "autoscheduler/templates/support/gpu_candidates.h"

namespace emulsion {

namespace {

constexpr int64_t kMostUnrolledTaps = 25;

// Elements of a panel that the windows of a block read, over those of the block.
double halo_share(const GpuTile &tile, const ReductionRoles &roles) {
    if (!roles.windowed) {
        return 1.0;
    }
    const double more = std::sqrt(static_cast<double>(roles.taps)) - 1.0;
    double share = 1.0;
    for (const int axis : {roles.width_axis, roles.height_axis}) {
        if (axis >= 0) {
            share *= 1.0 + more / static_cast<double>(tile.block(axis));
        }
    }
    return share;
}

// What tiles of a reduction take whose columns are independent.
class GpuLanewiseModel : public NestModel {
public:
    GpuLanewiseModel(const NestSubject &subject, const ReductionRoles &roles)
        : extents_(subject.extents), reduction_(static_cast<double>(roles.reduction_size())),
          bytes_(roles.reduction->type.bytes()), has_weights_(!roles.weights.empty()) {}

    NestEstimate estimate(const Nest &nest, const Machine &machine) const override {
        return estimate(GpuTile(nest, static_cast<int>(extents_.size())), machine.gpu().chip);
    }

    NestEstimate estimate(const GpuTile &tile, const Gpu &gpu) const {
        const double sums = tile_elements(tile);
        const auto columns = static_cast<double>(extent_at(tile.tile, tile.column_axis));
        // Neighbouring windows share what they read, where their taps are unrolled.
        const double shared = tile.unroll_window ? 0.5 : 1.0;
        const double read = columns + (sums - columns) * shared + (has_weights_ ? columns : 0.0);
        const double step =
            step_cycles(gpu, sums, read * static_cast<double>(bytes_) * line_share(tile, bytes_),
                        read / static_cast<double>(kGpuVector));
        const int registers = static_cast<int>(3.0 * sums) + kOtherRegisters;
        const int kept =
            std::min(registers, most_registers(gpu, static_cast<int>(tile.all_threads())));
        NestEstimate found;
        found.cycles = workgroups_of(tile, extents_) * waves_of(tile, gpu) * reduction_ /
                       static_cast<double>(tile.split) * step *
                       (static_cast<double>(registers) / kept);
        found.workgroup = workgroup_of(tile, extents_, kept);
        return found;
    }

private:
    std::vector<int64_t> extents_;
    double reduction_;
    int64_t bytes_;
    bool has_weights_;
};

// Axes of rows: those of windows first.
std::vector<int> rows_of(const NestSubject &subject, const ReductionRoles &roles) {
    std::vector<int> rows;
    for (const int axis : {roles.width_axis, roles.height_axis}) {
        if (axis >= 0) {
            rows.push_back(axis);
        }
    }
    std::erase_if(rows, [&](int axis) { return extent_at(subject.extents, axis) == 1; });
    for (const int axis : long_axes(subject, -1)) {
        if (axis != roles.column_axis && std::find(rows.begin(), rows.end(), axis) == rows.end()) {
            rows.push_back(axis);
        }
    }
    return rows;
}

std::vector<GpuTile> ways_to_cut_gpu_lanewise(const NestSubject &subject,
                                              const ReductionRoles &roles,
                                              const GpuLanewiseModel &model) {
    const Gpu &gpu = subject.machine.gpu().chip;
    const std::vector<int> rows = rows_of(subject, roles);
    std::vector<GpuCandidate> candidates;
    for (GpuTile tile : plain_tiles(subject.extents, roles.column_axis, rows)) {
        tile.unroll_window = roles.taps <= kMostUnrolledTaps;
        const int64_t unroll = std::min<int64_t>(kUnrolledSteps, roles.inner_channels);
        tile.unroll = !roles.windowed && roles.inner_channels % unroll == 0 ? unroll : 1;
        const double threads =
            workgroups_of(tile, subject.extents) * static_cast<double>(tile.all_threads());
        const int64_t at_columns = extent_at(tile.threads, tile.column_axis);
        const auto add = [&](int64_t split) {
            tile.split = split;
            if (tile.all_threads() > kMostWorkgroupThreads ||
                (split > 1 && rows.size() > 1 && extent_at(tile.threads, rows[1]) > 1)) {
                return;
            }
            GpuCandidate c{tile, model.estimate(tile, gpu)};
            c.alone = alone_cycles(gpu, c.nest, subject.extents, 0.0);
            c.fed =
                c.alone * halo_share(tile, roles) * (at_columns % gpu.wavefront == 0 ? 1.0 : 2.0);
            candidates.push_back(c);
        };
        add(1);
        for (const int64_t split : {8, 16, 32, 64}) {
            const bool few = threads < static_cast<double>(gpu.compute_units) * kPreferredThreads;
            if (few && !roles.windowed && roles.reduction_size() >= 4 * split) {
                add(split);
            }
        }
    }
    return sorted_ways(candidates, subject.extents);
}

std::optional<NestOffer> offer_gpu_lanewise(const NestSubject &subject) {
    const auto roles = lanewise_roles(subject);
    if (!roles || roles->reduction->args.size() != subject.extents.size() ||
        (roles->column_axis < 0)) {
        return std::nullopt;
    }
    NestOffer offer_gpu_lanewise;
    const auto model = std::make_shared<GpuLanewiseModel>(subject, *roles);
    offer_gpu_lanewise.space =
        gpu_tile_space("gpu_lanewise", ways_to_cut_gpu_lanewise(subject, *roles, *model), model,
                       subject.extents, subject.machine, roles->taps);
    like_columns_innermost(subject, *roles, offer_gpu_lanewise);
    return offer_gpu_lanewise;
}

}  // namespace

const NestTemplate &nest_template_gpu_lanewise() {
    static const NestTemplate t{
        .name = "gpu_lanewise",
        .description = "depthwise convolution, pooling, sums on a GPU: threads of channels",
        .rank = 30,
        .offer = offer_gpu_lanewise,
        .apply = apply_gpu_tile,
        .bounds = gpu_tile_bounds,
        .for_gpu = true,
        .smaller = smaller_gpu_tile,
    };
    return t;
}

}  // namespace emulsion
