// Rows with reductions over them (softmax, normalisations) on a GPU: a workgroup for each.
#include <algorithm>
#include <memory>

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

// Operations of all threads of a row's workgroup, also of those that have nothing to do at its end.
class GpuRowModel : public NestModel {
public:
    explicit GpuRowModel(const NestSubject &subject)
        : extents_(subject.extents), operations_(operation_count(subject.parts, subject.extents)) {}

    NestEstimate estimate(const Nest &nest, const Machine &machine) const override {
        const GpuTile tile(nest, static_cast<int>(extents_.size()));
        const int64_t threads = extent_at(tile.threads, tile.column_axis);
        const int64_t columns = extent_at(extents_, tile.column_axis);
        const double idle = static_cast<double>(ceil_div(columns, threads) * threads) /
                            static_cast<double>(std::max<int64_t>(columns, 1));
        NestEstimate found;
        found.cycles = machine.gpu().operation_cycles(operations_ * idle);
        found.workgroup = workgroup_of(tile, extents_, kRegisters);
        return found;
    }

private:
    static constexpr int kRegisters = 32;

    std::vector<int64_t> extents_;
    double operations_;
};

// A row for each workgroup.
std::vector<GpuTile> ways_to_cut_gpu_row_reduction(const NestSubject &subject,
                                                   const GpuRowModel &model) {
    std::vector<GpuCandidate> candidates;
    for (const int64_t threads : {32, 64, 128, 256}) {
        GpuTile tile(static_cast<int>(subject.extents.size()));
        tile.column_axis = subject.natural_order.back();
        tile.whole_rows = true;
        set_at(tile.threads, tile.column_axis, threads);
        GpuCandidate c{tile, model.estimate({"", tile.parameters()}, subject.machine)};
        c.alone = alone_cycles(subject.machine.gpu().chip, c.nest, subject.extents, 0.0);
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
    const auto model = std::make_shared<GpuRowModel>(subject);
    offer_gpu_row_reduction.space =
        gpu_tile_space("gpu_row_reduction", ways_to_cut_gpu_row_reduction(subject, *model), model,
                       subject.extents, subject.machine);
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
    static const NestTemplate t{
        .name = "gpu_row_reduction",
        .description = "reductions of a row on a GPU: a workgroup for each row",
        .rank = 60,
        .offer = offer_gpu_row_reduction,
        .apply = apply_gpu_tile,
        .bounds = gpu_tile_bounds,
        .for_gpu = true,
    };
    return t;
}

}  // namespace emulsion
