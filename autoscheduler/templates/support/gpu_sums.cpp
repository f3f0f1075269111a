#include "autoscheduler/templates/support/gpu_sums.h"

#include <algorithm>

#include "autoscheduler/shared_sums.h"
#include "autoscheduler/templates/support/loops.h"
#include "autoscheduler/templates/support/parameters.h"
#include "fusion/gpu.h"

namespace emulsion {

namespace {

using Halide::Func;
using Halide::RVar;
using Halide::Stage;
using Halide::TailStrategy;
using Halide::Var;
using Halide::VarOrRVar;

// Its updates run as they are written.
void leave_as_written(Func func) {
    for (int i = 0; i < func.num_update_definitions(); i++) {
        if (!func.update(i).get_schedule().touched()) {
            func.update(i).unscheduled();
        }
    }
}

// For Funcs that are computed in a thread. Where Halide doesn't see that all threads have tiles of one size (those
// at the end of the result may be smaller), it would take global memory for them otherwise: slow, and too little of
// it in kernels that have more threads than the loops around the tile, because it allocates for the latter but
// indexes by all threads (FuseGPUThreadLoops).
void keep_in_registers(Func func) { func.store_in(Halide::MemoryType::Register); }

// Cuts the sum's longest loop that is no window into `parts`; a new Func computes them, along a last axis of
// its own. Returns its copy, which is what is to be kept.
struct Parts {
    Func computed, kept;
    Var part{"part"};
};

Parts share(Func sum, int parts) {
    const FuncFacts facts = func_facts(sum.function());
    const auto longest =
        std::max_element(facts.reduction.begin(), facts.reduction.end(),
                         [](const ReductionLoop &a, const ReductionLoop &b) {
                             return std::pair(!a.window, a.extent) < std::pair(!b.window, b.extent);
                         });
    Parts made;
    const RVar loop(longest->name), steps(steps_of(longest->name)), which(kPartLoop);
    sum.update(0).split(loop, steps, which, parts);
    made.computed = sum.update(0).rfactor(which, made.part);
    made.kept = made.computed.in(sum);
    return made;
}

// Of a Func that is computed for a thread's tile: its loops over the tile, innermost first.
struct TileLoops {
    std::vector<VarOrRVar> order;
    std::vector<Var> unrolled;
    Var column, lanes{"lanes"};
    int vector = 1;

    void split(Stage stage) const {
        if (vector > 1) {
            stage.split(column, column, lanes, vector);
        }
    }
    void mark(Stage stage) const {
        if (vector > 1) {
            stage.vectorize(lanes);
        }
        for (const Var &v : unrolled) {
            stage.unroll(v);
        }
    }
};

// `sum` itself, or what share() makes of it, whose axes have the same names.
TileLoops tile_loops(const Func &root, const Func &sum, const GpuTile &tile, int64_t most_lanes) {
    TileLoops loops;
    for (const int axis : tile.axes()) {
        const int64_t elements = tile.tile[static_cast<size_t>(axis)];
        Var var;
        if (!matching_var(root, sum, axis, var)) {
            continue;
        }
        if (axis == tile.column_axis) {
            loops.column = var;
            loops.vector = static_cast<int>(std::min<int64_t>(vector_of(elements), most_lanes));
            if (loops.vector > 1) {
                loops.order.emplace_back(loops.lanes);
            }
        }
        loops.order.emplace_back(var);
        if (elements > 1) {
            loops.unrolled.push_back(var);
        }
    }
    return loops;
}

void keep_tile_in_registers(Func func, const NestFuncs &funcs, const GpuTile &tile) {
    Var column;
    if (tile.tile[static_cast<size_t>(tile.column_axis)] > 1 &&
        matching_var(funcs.root, func, tile.column_axis, column)) {
        store_innermost(func, column);
    }
    keep_in_registers(func);
}

// Whether the result may end inside of a vector of a tile. Halide rounds updates up to whole vectors, and what they
// read of the inputs with them, so that sums there are computed element by element.
bool may_end_in_vectors(const NestFuncs &funcs, const GpuTile &tile) {
    const int64_t extent = known_extent(funcs, tile.column_axis);
    const int vector = vector_of(tile.tile[static_cast<size_t>(tile.column_axis)]);
    return extent < tile.block(tile.column_axis) && (extent < 0 || extent % vector != 0);
}

// Channels innermost, then the taps: what a tap reads of the data is still near for the next one.
void order_update(Func sum, const TileLoops &loops, const GpuTile &tile) {
    const FuncFacts facts = func_facts(sum.function());
    Stage update = sum.update(0);
    loops.split(update);
    std::vector<VarOrRVar> order = loops.order;
    std::vector<RVar> channels, taps;
    for (const ReductionLoop &loop : facts.reduction) {
        (loop.window ? taps : channels).emplace_back(loop.name);
    }
    order.insert(order.end(), channels.begin(), channels.end());
    order.insert(order.end(), taps.begin(), taps.end());
    if (order.size() > 1) {
        update.reorder(order);
    }
    loops.mark(update);
    if (tile.unroll_window) {
        for (const RVar &tap : taps) {
            update.unroll(tap);
        }
    }
    if (tile.unroll > 1 && !channels.empty()) {
        const RVar unrolled("unrolled");
        update.split(channels.front(), channels.front(), unrolled, static_cast<int>(tile.unroll))
            .unroll(unrolled);
    }
    if (order.empty()) {
        update.unscheduled();
    }
}

void order_pure(Func func, const TileLoops &loops) {
    loops.split(func);
    if (loops.order.size() > 1) {
        func.reorder(loops.order);
    }
    loops.mark(func);
}

}  // namespace

void align_in_lds(Func func, const Var &var) {
    func.align_storage(var, static_cast<int>(kGpuVector));
}

void align_in_lds(const Func &func) {
    const auto &dims = func.function().schedule().storage_dims();
    if (!dims.empty()) {
        align_in_lds(func, Var(dims.front().var));
    }
}

bool may_be_shared(const Func &sum) {
    if (sum.num_update_definitions() != 1 || sum.outputs() != 1 || reduction_vars(sum).empty()) {
        return false;
    }
    const auto &update = sum.function().update(0);
    return func_facts(sum.function()).plain_update &&
           Halide::Internal::prove_associativity(sum.name(), update.args(), update.values())
               .associative();
}

void make_register_sum(const NestFuncs &funcs, const Func &sum, const GpuTile &tile,
                       const Var &at) {
    Func f = sum;
    keep_tile_in_registers(f.compute_at(funcs.root, at), funcs, tile);
    const TileLoops loops =
        tile_loops(funcs.root, f, tile, may_end_in_vectors(funcs, tile) ? 1 : kGpuVector);
    order_pure(f, loops);
    order_update(f, loops, tile);
}

void make_split_sum(const NestFuncs &funcs, Func sum, const GpuTile &tile, const Var &block) {
    if (!may_be_shared(sum)) {
        return;
    }
    Parts parts = share(sum, static_cast<int>(tile.split));
    // (Threads of the parts have whole tiles, the last one beside the one before.)
    const TileLoops loops = tile_loops(funcs.root, sum, tile, kGpuVector);
    parts.kept.compute_at(funcs.root, block);
    // The threads are the root's, and the parts along one more axis.
    std::vector<Var> threads;
    for (const int axis : tile.axes()) {
        const auto a = static_cast<size_t>(axis);
        Var var;
        if ((tile.threads[a] > 1 || axis == tile.column_axis) &&
            matching_var(funcs.root, sum, axis, var)) {
            if (axis == tile.column_axis) {
                store_innermost(parts.kept, var);
                align_in_lds(parts.kept, var);
            }
            threads.emplace_back("thread" + std::to_string(axis));
            parts.kept.split(var, threads.back(), var, static_cast<int>(tile.tile[a]));
        }
    }
    threads.push_back(parts.part);
    loops.split(parts.kept);
    std::vector<VarOrRVar> order = loops.order;
    order.insert(order.end(), threads.begin(), threads.end());
    parts.kept.reorder(order);
    for (const Var &v : threads) {
        parts.kept.gpu_threads(v);
    }
    loops.mark(parts.kept);
    keep_tile_in_registers(parts.computed.compute_at(parts.kept, threads.front()), funcs, tile);
    order_pure(parts.computed, loops);
    order_update(parts.computed, loops, tile);
}

void make_panel_parts(const NestFuncs &funcs, Func sum, int column_axis, int parts, int threads) {
    Parts made = share(sum, parts);
    Func panel = funcs.root;
    made.kept.compute_at(panel.function().schedule().compute_level());
    // Neighbouring threads have neighbouring columns of one part.
    Var column;
    matching_var(panel, sum, column_axis, column);
    const Var elements("elements"), thread("thread"), step("step");
    made.kept.fuse(column, made.part, elements)
        .split(elements, step, thread, threads, TailStrategy::GuardWithIf);
    std::vector<VarOrRVar> order{step};
    for (const Var &v : pure_vars(sum)) {
        if (v.name() != column.name()) {
            order.emplace_back(v);
        }
    }
    order.emplace_back(thread);
    made.kept.reorder(order).gpu_threads(thread);
    align_in_lds(made.kept, made.part);
    keep_in_registers(made.computed.compute_at(made.kept, step));
    leave_as_written(made.computed);
}

void make_block_sum(const Func &root, Func sum, const Var &block, int threads) {
    Func host = root;
    sum.compute_at(host, block);
    align_in_lds(sum);
    if (threads > 1 && may_be_shared(sum)) {
        Parts parts = share(sum, threads);
        parts.kept.compute_at(host, block).gpu_threads(parts.part);
        align_in_lds(parts.kept, parts.part);
        keep_in_registers(parts.computed.compute_at(parts.kept, parts.part));
        leave_as_written(parts.computed);
    }
    leave_as_written(sum);
}

}  // namespace emulsion
