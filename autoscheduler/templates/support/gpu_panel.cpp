#include "autoscheduler/templates/support/gpu_panel.h"

#include <algorithm>

#include "autoscheduler/block_extents.h"
#include "autoscheduler/templates/support/gpu_sums.h"
#include "autoscheduler/templates/support/loops.h"
#include "autoscheduler/templates/support/parameters.h"
#include "fusion/cost/panel_tile.h"

namespace emulsion {

namespace {

using Halide::Func;
using Halide::TailStrategy;
using Halide::Var;
using Halide::VarOrRVar;

// Of a panel's sums: how many parts they are cut into, and how short these may get.
constexpr int64_t kMostParts = 32;
constexpr int64_t kShortestPart = 8;

// Into how many parts the sums of a panel are cut, because it has fewer elements than its workgroup has threads.
int parts_of(const NestFuncs &funcs, int64_t threads) {
    if (funcs.registers.size() != 1 || !may_be_shared(funcs.registers.front())) {
        return 1;
    }
    int64_t elements = 1;
    for (const int64_t extent : funcs.extents) {
        elements = extent < 0 ? threads : elements * extent;
    }
    int64_t longest = 1;
    for (const ReductionLoop &loop : func_facts(funcs.registers.front().function()).reduction) {
        longest = std::max(longest, loop.window ? 1 : loop.extent);
    }
    const int64_t most =
        std::min({threads / std::max<int64_t>(elements, 1), longest / kShortestPart, kMostParts});
    return most < 2 ? 1 : static_cast<int>(floor_power_of_two(most));
}

// Threads of a workgroup: along the root's columns, then along its other axes.
std::vector<int64_t> threads_of(const GpuTile &root) {
    std::vector<int64_t> threads{root.threads[static_cast<size_t>(root.column_axis)]};
    for (const int axis : root.axes()) {
        const int64_t n = root.threads[static_cast<size_t>(axis)];
        if (axis != root.column_axis && n > 1) {
            threads.push_back(n);
        }
    }
    if (root.split > 1) {
        threads.push_back(root.split);
    }
    return threads;
}

// Rows that a thread computes at a time, along the panel's axis `axis`.
int64_t rows_at_once(const NestFuncs &funcs, const GpuTile &own, const GpuTile &root, int axis,
                     int64_t threads) {
    Cut cut;
    for (size_t i = 0; i < root.threads.size(); i++) {
        const bool all = root.whole_rows && static_cast<int>(i) == root.column_axis;
        cut.block.push_back(all ? funcs.host_extents.at(i) : root.block(static_cast<int>(i)));
    }
    const auto extents = block_extents(funcs.host_root, funcs.host_extents, cut, funcs.root, axis);
    return extents ? panel_rows(std::min(extents->least, own.panel_rows), extents->most, threads)
                   : 1;
}

}  // namespace

void make_gpu_panel(const NestFuncs &funcs, const GpuTile &own, const GpuTile &root) {
    Func panel = funcs.root;
    const std::vector<Var> vars = pure_vars(panel);
    const std::vector<int64_t> threads = threads_of(root);
    const int parts = parts_of(funcs, root.all_threads());
    GpuTile tile(static_cast<int>(vars.size()));
    tile.column_axis = own.column_axis;
    tile.unroll = own.unroll;
    tile.unroll_window = own.unroll_window;
    std::vector<VarOrRVar> order;  // innermost first
    std::vector<Var> parallel;
    Var at, lanes("lanes"), rows("rows");
    const auto deal_out = [&](int axis, const Var &var, const Var &step) {
        const Var thread(numbered("thread", static_cast<size_t>(axis)));
        panel.split(var, step, thread, static_cast<int>(threads[parallel.size()]),
                    TailStrategy::GuardWithIf);
        parallel.push_back(thread);
        order.emplace_back(step);
    };
    for (const int axis : own.axes()) {
        const auto a = static_cast<size_t>(axis);
        const Var var = vars[a];
        if (axis == own.column_axis) {
            const int64_t extent = known_extent(funcs, axis);
            tile.tile[a] = extent > 0 ? panel_vector(extent, threads.front()) : 1;
            if (tile.tile[a] > 1) {
                panel.split(var, var, lanes, static_cast<int>(tile.tile[a]),
                            TailStrategy::GuardWithIf);
                order.emplace_back(lanes);
            }
            at = Var("step");
            deal_out(axis, var, at);
        } else if (parallel.size() < threads.size()) {
            const bool has_sums = !funcs.registers.empty() && parts == 1;
            if (has_sums && parallel.size() == 1) {
                tile.tile[a] = rows_at_once(funcs, own, root, axis, threads[1]);
            }
            if (tile.tile[a] > 1) {
                panel.split(var, var, rows, static_cast<int>(tile.tile[a]),
                            TailStrategy::ShiftInwards);
                order.insert(order.end() - 1, rows);
            }
            deal_out(axis, var, Var(numbered("step", a)));
        } else {
            order.emplace_back(var);
        }
    }
    order.insert(order.end(), parallel.begin(), parallel.end());
    panel.reorder(order);
    for (size_t axis = 0; axis < tile.tile.size(); axis++) {
        if (tile.tile[axis] > 1) {
            const bool column = static_cast<int>(axis) == own.column_axis;
            column ? panel.vectorize(lanes) : panel.unroll(rows);
        }
    }
    for (const Var &v : parallel) {
        panel.gpu_threads(v);
    }
    for (const Func &acc : funcs.registers) {
        if (parts > 1) {
            make_panel_parts(funcs, acc, own.column_axis, parts, static_cast<int>(threads.front()));
        }
        make_register_sum(funcs, acc, tile, at);
    }
}

}  // namespace emulsion
