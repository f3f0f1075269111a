// Rows with reductions over them (softmax, normalisations) on a GPU: a workgroup for each.
#include <algorithm>

#include "autoscheduler/templates/support/gpu_candidates.h"
#include "autoscheduler/templates/support/parameters.h"
#include "autoscheduler/work.h"
#include "fusion/ceil_div.h"

namespace emulsion {

namespace {

// Whether all reductions lack the row's axis, so that a workgroup computes what it needs of each.
bool reduces_rows_on_gpu(const NestSubject &subject) {
    const std::string &column =
        subject.result().args[static_cast<size_t>(subject.natural_order.back())];
    return std::none_of(subject.parts.begin(), subject.parts.end(), [&](const FuncFacts &part) {
        return part.is_reduction() &&
               std::find(part.args.begin(), part.args.end(), column) != part.args.end();
    });
}

// A row for each workgroup.
std::vector<Workgroup> ways_to_cut_gpu_row_reduction(const NestSubject &subject) {
    const Gpu &gpu = subject.machine.gpu;
    const double operations = operation_count(subject.parts, subject.extents);
    const int column = subject.natural_order.back();
    std::vector<GpuCandidate> candidates;
    for (const int64_t threads : {32, 64, 128, 256}) {
        GpuCandidate c{GpuTile(static_cast<int>(subject.extents.size()))};
        c.tile.column_axis = column;
        c.tile.whole_rows = true;
        set_at(c.tile.threads, column, threads);
        const int64_t columns = extent_at(subject.extents, column);
        const double idle = static_cast<double>(ceil_div(columns, threads) * threads) /
                            static_cast<double>(std::max<int64_t>(columns, 1));
        c.cycles =
            operations * idle / (gpu.simds * gpu.simd_lanes) / subject.machine.operations_per_cycle;
        c.estimate = alone_cycles(gpu, c, subject.extents, 0.0);
        candidates.push_back(c);
    }
    return sorted_ways(candidates, subject.extents);
}

std::optional<NestOffer> offer_gpu_row_reduction(const NestSubject &subject) {
    const bool plain = std::all_of(subject.parts.begin(), subject.parts.end(),
                                   [](const FuncFacts &part) { return part.plain_update; });
    if (!plain || subject.natural_order.empty() || subject.result().is_reduction() ||
        !reduces_rows_on_gpu(subject)) {
        return std::nullopt;
    }
    NestOffer offer_gpu_row_reduction;
    offer_gpu_row_reduction.reduction_placement = Placement::Panel;
    offer_gpu_row_reduction.space = gpu_tile_space(
        "gpu_row_reduction", ways_to_cut_gpu_row_reduction(subject), subject.extents);
    NestSpace &space = offer_gpu_row_reduction.space;
    for (size_t axis = 0; axis < subject.extents.size(); axis++) {
        // One workgroup has one row: its threads are the row's, and take its columns in turn.
        fix(space, numbered("tile", axis), 1);
        if (static_cast<int>(axis) != subject.natural_order.back()) {
            fix(space, numbered("threads", axis), 1);
        }
    }
    for (const char *name : {"unroll", "panel_rows"}) {
        fix(space, name, space.find(name)->preferred);
    }
    offer_gpu_row_reduction.space.panels.is_panel = false;
    offer_gpu_row_reduction.innermost_axis = subject.natural_order.back();
    return offer_gpu_row_reduction;
}

}  // namespace

const NestTemplate &nest_template_gpu_row_reduction() {
    static const NestTemplate t{"gpu_row_reduction",
                                "reductions of a row on a GPU: a workgroup for each row",
                                60,
                                offer_gpu_row_reduction,
                                apply_gpu_tile,
                                gpu_tile_bounds,
                                true,
                                {}};
    return t;
}

}  // namespace emulsion
