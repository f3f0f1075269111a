// Anything on a GPU: a kernel for every definition of every reduction, with a thread for each element that may
// be computed on its own, and one thread alone where the order is the algorithm's.
#include <algorithm>
#include <memory>

#include "autoscheduler/templates/support/definition_loops.h"
#include "autoscheduler/templates/support/gpu_tile.h"
#include "autoscheduler/templates/support/parameters.h"
#include "autoscheduler/work.h"

namespace emulsion {

namespace {

using Halide::Func;
using Halide::RVar;
using Halide::TailStrategy;
using Halide::Var;
using Halide::VarOrRVar;

constexpr int kThreads = 64;
// A thread alone, over one of the many that a compute unit could run.
constexpr double kSerialSlowdown = 64.0;

// Its only nest.
class GpuGenericModel : public NestModel {
public:
    GpuGenericModel(const NestSubject &subject, const std::vector<int64_t> &extents,
                    const GpuTile &tile)
        : operations_(operation_count(subject.parts, subject.extents)),
          way_(workgroup_of(tile, extents, kRegisters)) {
        way_.block.resize(subject.extents.size());
    }

    NestEstimate estimate(const Nest &, const Machine &machine) const override {
        NestEstimate found;
        found.cycles = kSerialSlowdown * operations_ / machine.gpu().lanes(4);
        found.workgroup = way_;
        return found;
    }

private:
    static constexpr int kRegisters = 32;

    double operations_;
    Workgroup way_;
};

std::optional<NestOffer> offer_gpu_generic(const NestSubject &subject) {
    NestOffer offer_gpu_generic;
    offer_gpu_generic.reduction_placement = Placement::Panel;
    const auto rank = static_cast<int>(subject.extents.size());
    GpuTile tile(std::max(rank, 1));
    std::vector<int64_t> extents = subject.extents;
    extents.resize(static_cast<size_t>(std::max(rank, 1)), 1);
    if (rank > 0) {
        tile.column_axis = subject.natural_order.empty() ? rank - 1 : subject.natural_order.back();
        tile.threads[static_cast<size_t>(tile.column_axis)] = kThreads;
    }
    offer_gpu_generic.space = gpu_tile_space(
        "gpu_generic", {tile}, std::make_shared<GpuGenericModel>(subject, extents, tile), extents,
        subject.machine);
    for (const NestParameter &p : NestSpace(offer_gpu_generic.space).parameters) {
        fix(offer_gpu_generic.space, p.name, p.preferred);  // it has no choices
    }
    offer_gpu_generic.space.panels.is_panel = false;
    offer_gpu_generic.space.panels.column_axis = -1;
    return offer_gpu_generic;
}

// One kernel.
void make_kernel(const Func &func, int definition) {
    DefinitionLoops loops(func, definition);
    std::vector<Var> free;
    for (int axis = 0; axis < func.dimensions(); axis++) {
        if (loops.is_free(axis)) {
            free.push_back(loops.loop(axis));
        }
    }
    if (free.empty() || loops.is_scan()) {
        loops.stage().gpu_single_thread();
        return;
    }
    Var all = free.front();
    for (size_t i = 1; i < free.size(); i++) {
        const Var fused("elements" + std::to_string(i));
        loops.stage().fuse(all, free[i], fused);
        all = fused;
    }
    const Var block("block"), thread("thread");
    loops.stage().split(all, block, thread, kThreads, TailStrategy::GuardWithIf);
    std::vector<VarOrRVar> order(loops.reduced().begin(), loops.reduced().end());
    order.emplace_back(thread);
    order.emplace_back(block);
    loops.stage().reorder(order).gpu_blocks(block).gpu_threads(thread);
}

void apply_gpu_generic(const NestFuncs &funcs, const Nest &) {
    for (Func panel : funcs.panels) {
        panel.compute_root();
        for (int i = 0; i <= panel.num_update_definitions(); i++) {
            make_kernel(panel, i);
        }
    }
    for (int i = 0; i <= funcs.root.num_update_definitions(); i++) {
        make_kernel(funcs.root, i);
    }
}

}  // namespace

const NestTemplate &nest_template_gpu_generic() {
    static const NestTemplate t{
        .name = "gpu_generic",
        .description = "anything on a GPU: a kernel for every definition",
        .rank = 100,
        .offer = offer_gpu_generic,
        .apply = apply_gpu_generic,
        .bounds = gpu_tile_bounds,
        .for_gpu = true,
        .takes_everything = true,
    };
    return t;
}

}  // namespace emulsion
