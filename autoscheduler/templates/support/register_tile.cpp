#include "autoscheduler/templates/support/register_tile.h"

#include <algorithm>

#include "autoscheduler/templates/support/loops.h"
#include "autoscheduler/templates/support/panel_rows.h"
#include "fusion/ceil_div.h"
#include "fusion/error.h"

namespace emulsion {

namespace {

using Halide::Func;
using Halide::RVar;
using Halide::Stage;
using Halide::TailStrategy;
using Halide::Var;
using Halide::VarOrRVar;

// Vectorises and unrolls one definition of the accumulators over the tile.
struct Accumulators {
    bool has_column = false, has_width = false, has_height = false;
    Var column, width, height;
    Var lanes{"lanes"};
    TailStrategy tail = TailStrategy::Auto;

    // Halide may not see how large a tile is, but it is no larger than this.
    void store_constantly(Func func, const RegisterTile &t) const {
        if (has_column) {
            func.bound_storage(column, static_cast<int>(t.block()));
        }
        if (has_width) {
            func.bound_storage(width, static_cast<int>(t.width));
        }
        if (has_height) {
            func.bound_storage(height, static_cast<int>(t.height));
        }
    }

    std::vector<VarOrRVar> tile_loops() const {
        std::vector<VarOrRVar> loops;
        if (has_column) {
            loops.insert(loops.end(), {lanes, column});
        }
        if (has_width) {
            loops.emplace_back(width);
        }
        if (has_height) {
            loops.emplace_back(height);
        }
        return loops;
    }

    void split(Stage stage, const RegisterTile &t) const {
        if (has_column) {
            stage.split(column, column, lanes, static_cast<int>(t.vector), tail);
        }
    }

    void unroll(Stage stage, const RegisterTile &t) const {
        if (has_column) {
            stage.vectorize(lanes);
        }
        if (!t.unroll_tile) {
            return;
        }
        if (has_column) {
            stage.unroll(column);
        }
        if (has_width) {
            stage.unroll(width);
        }
        if (has_height) {
            stage.unroll(height);
        }
    }
};

// Computes the pure definition of `func`, one value per element of the root, at a tile.
Accumulators schedule_tile(const NestFuncs &funcs, Func func, const RegisterTile &t,
                           const Var &at) {
    Accumulators a;
    a.has_column = matching_var(funcs.root, func, t.column_axis, a.column);
    a.has_width = t.width_axis >= 0 && matching_var(funcs.root, func, t.width_axis, a.width);
    a.has_height = t.height_axis >= 0 && matching_var(funcs.root, func, t.height_axis, a.height);
    func.compute_at(funcs.root, at);
    if (a.has_column) {
        store_innermost(func, a.column);
    }
    // Halide would round the columns of an internal Func up to whole vectors, and what it reads with them. A tile
    // has whole vectors, unless there are fewer columns than it has or its reader selects some of them.
    if (!t.padded) {
        a.tail = TailStrategy::GuardWithIf;
    }
    if (t.padded && a.has_column) {
        const int block = static_cast<int>(t.block());
        func.bound_extent(a.column, block).align_bounds(a.column, block);
    }
    if (!t.unroll_tile) {
        a.store_constantly(func, t);
    }
    a.split(func, t);
    a.unroll(func, t);
    return a;
}

void schedule_accumulators(const NestFuncs &funcs, Func acc, const RegisterTile &t, const Var &at) {
    if (t.buffered) {
        schedule_tile(funcs, acc.in(), t, at);
    }
    const Accumulators a = schedule_tile(funcs, acc, t, at);
    const FuncFacts facts = func_facts(acc.function());
    Stage update = acc.update(0);
    a.split(update, t);
    // Channels innermost, then the taps: what a tap reads of the data is still in the first-level
    // cache for the next tap.
    std::vector<RVar> channels, taps;
    for (const ReductionLoop &loop : facts.reduction) {
        (loop.window ? taps : channels).emplace_back(loop.name);
    }
    std::vector<VarOrRVar> order = a.tile_loops();
    const auto sums = order.begin() + (t.unroll_tile  ? static_cast<long>(order.size())
                                       : a.has_column ? 1
                                                      : 0);
    const auto inner = order.insert(sums, channels.begin(), channels.end());
    order.insert(inner + static_cast<long>(channels.size()), taps.begin(), taps.end());
    update.reorder(order);
    a.unroll(update, t);
    if (t.unroll_window) {
        for (const RVar &tap : taps) {
            update.unroll(tap);
        }
    }
    if (t.unroll > 1 && !channels.empty()) {
        const RVar unrolled("unrolled");
        update.split(channels.front(), channels.front(), unrolled, static_cast<int>(t.unroll))
            .unroll(unrolled);
    }
}

// A panel has as many rows as its reader asks for; a tile is no larger than the smallest panel, so that the last
// tile of any can be moved inwards: Halide doesn't always see how large one is that is cut off.
void fit_to_panels(const NestFuncs &funcs, RegisterTile &t) {
    const auto fit = [&](int axis, int64_t &rows) {
        if (axis >= 0 && rows > 1 && known_extent(funcs, axis) < 0) {
            rows = std::min(rows, fewest_rows(funcs, axis).value_or(rows));
        }
    };
    fit(t.width_axis, t.width);
    fit(t.height_axis, t.height);
}

// Of the tiles along an axis, in a nest that has been fit to its panels.
TailStrategy tile_tail(const NestFuncs &funcs, int axis, int64_t step) {
    return known_extent(funcs, axis) < 0 && fewest_rows(funcs, axis).value_or(0) >= step
               ? TailStrategy::ShiftInwards
               : pure_tail(funcs, axis, step);
}

int64_t trips(int64_t extent, int64_t step) { return extent < 0 ? -1 : ceil_div(extent, step); }

}  // namespace

void apply_register_tile(const NestFuncs &funcs, const Nest &nest) {
    const std::vector<Var> vars = pure_vars(funcs.root);
    RegisterTile t(nest);
    fit_to_panels(funcs, t);
    Func root = funcs.root;

    const auto var = [&](int axis) { return vars[static_cast<size_t>(axis)]; };
    const Var c = var(t.column_axis), co("co"), ci("ci"), lanes("cl");
    const int64_t columns = known_extent(funcs, t.column_axis);
    root.split(c, co, ci, static_cast<int>(t.block()),
               t.padded ? TailStrategy::GuardWithIf : pure_tail(funcs, t.column_axis, t.block()));
    root.split(ci, ci, lanes, static_cast<int>(t.vector));
    std::vector<VarOrRVar> order{lanes, ci};

    // Register blocks in two axes, then the rows of a task.
    Var xo("xo"), xi("xi"), yo("yo"), yi("yi"), rows("rows");
    std::vector<Var> tile_rows;
    int64_t row_tasks = 1;
    bool has_rows = false;
    Var at = co;
    if (t.width_axis >= 0) {
        root.split(var(t.width_axis), xo, xi, static_cast<int>(t.width),
                   tile_tail(funcs, t.width_axis, t.width));
        order.emplace_back(xi);
        tile_rows.push_back(xi);
        at = xo;
    }
    if (t.height_axis >= 0 && t.height == 1 && funcs.is_panel) {
        // Of a loop that was not split Halide knows the last row, however many there are before it.
        yo = var(t.height_axis);
    } else if (t.height_axis >= 0) {
        root.split(var(t.height_axis), yo, yi, static_cast<int>(t.height),
                   tile_tail(funcs, t.height_axis, t.height));
        order.emplace_back(yi);
        tile_rows.push_back(yi);
    }
    if (t.width_axis >= 0) {
        const int axis = t.height_axis >= 0 ? t.height_axis : t.width_axis;
        const int64_t step = t.height_axis >= 0 ? t.height : t.width;
        const Var tiles = t.height_axis >= 0 ? yo : xo;
        const int64_t tile_trips = trips(known_extent(funcs, axis), step);
        const int64_t per_task = std::max<int64_t>(t.task_rows / step, 1);
        if (t.height_axis >= 0) {
            order.emplace_back(xo);
        }
        has_rows = true;
        row_tasks = funcs.is_panel ? 1 : trips(tile_trips, per_task);
        if (row_tasks != 1 || !funcs.stages.empty()) {
            root.split(tiles, rows, tiles, static_cast<int>(per_task),
                       row_tail(funcs, tile_trips, per_task));
            order.emplace_back(tiles);
        } else {
            order.emplace_back(tiles);
            has_rows = false;
        }
    }

    // Parallel loops, outermost first.
    std::vector<Var> tasks;
    std::vector<int64_t> task_trips;
    for (int axis = 0; axis < static_cast<int>(vars.size()); axis++) {
        if (axis != t.column_axis && axis != t.width_axis && axis != t.height_axis) {
            tasks.push_back(var(axis));
            task_trips.push_back(known_extent(funcs, axis));
        }
    }
    const int64_t column_trips = trips(columns, t.block());
    // What is computed for a panel of rows serves all of its columns.
    const bool columns_inside = !funcs.stages.empty();
    if (columns_inside) {
        if (!has_rows) {
            throw Error("loop nest '" + nest.template_name + "' has no rows to compute panels at");
        }
        order.emplace_back(co);
    } else if (t.columns_outermost || !has_rows) {
        tasks.push_back(co);
        task_trips.push_back(column_trips);
    }
    if (has_rows) {
        tasks.push_back(rows);
        task_trips.push_back(row_tasks);
    }
    if (!columns_inside && !t.columns_outermost && has_rows) {
        tasks.push_back(co);
        task_trips.push_back(column_trips);
    }
    order.insert(order.end(), tasks.rbegin(), tasks.rend());
    root.reorder(order);
    root.vectorize(lanes);
    root.unroll(ci);
    for (const Var &v : tile_rows) {
        if (!t.buffered) {
            root.unroll(v);
        }
    }
    // Accumulators hang on the innermost loop that is not unrolled. Without a width that is the
    // column loop itself, which may be fused away into the parallel one: keep a loop of its own.
    if (t.width_axis < 0) {
        Var single("tile"), tile_block("block");
        root.split(co, tile_block, single, 1);
        at = single;
        std::replace_if(
            tasks.begin(), tasks.end(), [&](const Var &v) { return v.name() == co.name(); },
            tile_block);
    }
    if (columns_inside) {
        // The loops that panels hang on and live in must be none that are fused away.
        const Var panel("panel"), task("task"), task_block("tasks");
        // Halide's checks of what is read do not see either that rows which panels share end where the value
        // does: with checks, every panel computes its own.
        const int per_task = has_checks(funcs) ? 1 : static_cast<int>(t.task_panels);
        root.split(rows, task, panel, per_task, row_tail(funcs, row_tasks, per_task));
        root.split(task, task_block, task, 1);
        for (size_t i = 0; i < tasks.size(); i++) {
            if (tasks[i].name() == rows.name()) {
                tasks[i] = task_block;
                task_trips[i] = task_trips[i] < 0 ? -1 : ceil_div(task_trips[i], per_task);
            }
        }
        for (Func stage : funcs.stages) {
            stage.compute_at(root, panel);
            if (per_task > 1) {
                stage.store_at(root, task);
            }
        }
    }
    if (!funcs.is_panel && !t.serial) {
        parallelize(root, tasks, task_trips);
    }
    for (const Func &panel : funcs.panels) {
        Func f = panel;
        f.compute_at(root, at);
    }
    for (const Func &acc : funcs.registers) {
        schedule_accumulators(funcs, acc, t, at);
    }
}

}  // namespace emulsion
