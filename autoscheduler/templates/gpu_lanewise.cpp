// Depthwise convolutions, pools and sums over whole axes on a GPU.
#include <algorithm>
#include <cmath>

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

// For a reduction whose columns are independent.
std::vector<Workgroup> ways_to_cut_gpu_lanewise(const NestSubject &subject,
                                                const ReductionRoles &roles) {
    const Gpu &gpu = subject.machine.gpu;
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
    const auto reduction = static_cast<double>(roles.reduction_size());
    const int64_t bytes = roles.reduction->element_bytes;
    std::vector<GpuCandidate> candidates;
    for (const GpuTile &tile : plain_tiles(subject.extents, roles.column_axis, rows)) {
        GpuCandidate c{tile};
        c.tile.unroll_window = roles.taps <= kMostUnrolledTaps;
        const int64_t unroll = std::min<int64_t>(kUnrolledSteps, roles.inner_channels);
        c.tile.unroll = !roles.windowed && roles.inner_channels % unroll == 0 ? unroll : 1;
        const double sums = tile_elements(tile);
        const auto tile_c = static_cast<double>(extent_at(tile.tile, tile.column_axis));
        // Neighbouring windows share what they read, where their taps are unrolled.
        const double shared = c.tile.unroll_window ? 0.5 : 1.0;
        const double read =
            tile_c + (sums - tile_c) * shared + (roles.weights.empty() ? 0.0 : tile_c);
        const double step =
            step_cycles(gpu, sums, read * static_cast<double>(bytes) * line_share(tile, bytes),
                        read / static_cast<double>(kGpuVector));
        const double workgroups = workgroups_of(tile, subject.extents);
        const int64_t at_columns = extent_at(tile.threads, tile.column_axis);
        const auto add = [&](int64_t split) {
            c.tile.split = split;
            if (c.tile.all_threads() > kMostWorkgroupThreads ||
                (split > 1 && rows.size() > 1 && extent_at(tile.threads, rows[1]) > 1)) {
                return;
            }
            const double waves =
                std::ceil(static_cast<double>(c.tile.all_threads()) / gpu.wavefront);
            c.registers = static_cast<int>(3.0 * sums) + kOtherRegisters;
            c.cycles = workgroups * waves * reduction / static_cast<double>(split) * step;
            c.estimate = alone_cycles(gpu, c, subject.extents, 0.0);
            c.fed_estimate = c.estimate * halo_share(c.tile, roles) *
                             (at_columns % gpu.wavefront == 0 ? 1.0 : 2.0);
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
    return sorted_ways(candidates, subject.extents);
}

std::optional<NestOffer> offer_gpu_lanewise(const NestSubject &subject) {
    const auto roles = lanewise_roles(subject);
    if (!roles || roles->reduction->args.size() != subject.extents.size() ||
        (roles->column_axis < 0)) {
        return std::nullopt;
    }
    NestOffer offer_gpu_lanewise;
    offer_gpu_lanewise.space =
        gpu_tile_space("gpu_lanewise", ways_to_cut_gpu_lanewise(subject, *roles), subject.extents);
    like_columns_innermost(subject, *roles, offer_gpu_lanewise);
    return offer_gpu_lanewise;
}

}  // namespace

const NestTemplate &nest_template_gpu_lanewise() {
    static const NestTemplate t{
        "gpu_lanewise",
        "depthwise convolution, pooling, sums on a GPU: threads of channels",
        30,
        offer_gpu_lanewise,
        apply_gpu_tile,
        gpu_tile_bounds,
        true,
        smaller_gpu_tile};
    return t;
}

}  // namespace emulsion
