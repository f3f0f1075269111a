#include "autoscheduler/templates/support/rows.h"

#include <algorithm>
#include <limits>
#include <optional>
#include <utility>

#include "autoscheduler/templates/support/flat_axes.h"
#include "autoscheduler/templates/support/loops.h"
#include "autoscheduler/templates/support/panel.h"
#include "autoscheduler/templates/support/parameters.h"
#include "autoscheduler/templates/support/row_splits.h"
#include "fusion/ceil_div.h"
#include "fusion/crossing_blocks.h"
#include "fusion/error.h"

namespace emulsion {

namespace {

using Halide::Func;
using Halide::TailStrategy;
using Halide::Var;
using Halide::VarOrRVar;
using Halide::Internal::as_const_int;

constexpr int64_t kTasksPerThread = 4;
// Vectors of columns for which panels are computed at a time: long pieces of every row they read.
constexpr int64_t kMostVectorsPerBlock = 16;
constexpr int64_t kMaxTasks = 1 << 20;

// Whether all panels have the axis of the root, by name.
bool panels_have(const NestFuncs &funcs, const Var &axis) {
    return std::all_of(funcs.panels.begin(), funcs.panels.end(), [&](const Func &panel) {
        const std::vector<Var> mine = pure_vars(panel);
        return std::any_of(mine.begin(), mine.end(),
                           [&](const Var &v) { return v.name() == axis.name(); });
    });
}

// Adds `loops` (outermost first) to an order that is innermost first.
void add_inside_out(const std::vector<CountedLoop> &loops, std::vector<VarOrRVar> &order) {
    for (auto loop = loops.rbegin(); loop != loops.rend(); ++loop) {
        order.emplace_back(loop->var);
    }
}

// How often `loops` run together; unknown counts are taken to be enough.
int64_t total_trips(const std::vector<CountedLoop> &loops) {
    constexpr int64_t kEnough = kMaxTasks;
    int64_t total = 1;
    for (const CountedLoop &loop : loops) {
        total = loop.trips < 0 ? kEnough : std::min(total * loop.trips, kEnough);
    }
    return total;
}

// About how many tasks there are to be; 0: none, the nest is serial.
int tasks_of(const NestFuncs &funcs, const Nest &nest) {
    return funcs.is_panel ? 0 : rows_tasks(nest);
}

// The root's loops with other stages in them: panels of rows, parallel, and in each all columns. The plan
// says which axes are outside of a panel and which one has its rows, whatever the layout: columns are what lies
// innermost of the others.
void apply_with_stages(const NestFuncs &funcs, const Nest &nest, const std::vector<int> &order) {
    Func root = funcs.root;
    const std::vector<Var> vars = pure_vars(root);
    const int row_axis = parameter(nest, "row_axis");
    const int64_t outer = parameter(nest, "outer_axes");
    const int rows = parameter(nest, "task_rows");
    const auto is_outer = [&](int axis) { return ((outer >> axis) & 1) != 0; };
    const auto innermost = std::find_if(order.rbegin(), order.rend(), [&](int axis) {
        return axis != row_axis && !is_outer(axis);
    });
    const int wanted_axis = parameter(nest, "column_axis");
    const int column_axis = wanted_axis < 0 && innermost != order.rend() ? *innermost : wanted_axis;
    if (!funcs.panels.empty() || column_axis < 0 || row_axis == column_axis ||
        is_outer(column_axis) || is_outer(row_axis)) {
        throw Error("loop nest '" + nest.template_name + "' has no rows to compute panels at");
    }
    const Columns columns = columns_of(funcs, nest, {column_axis});
    const int64_t all = known_extent(funcs, row_axis);
    const Var row = vars[static_cast<size_t>(row_axis)], panels("panels"), panel("panel");
    columns.split(root);
    root.split(row, panels, row, rows, row_tail(funcs, all, rows));
    root.split(panels, panels, panel, 1);
    std::vector<VarOrRVar> loops = columns.set();
    loops.insert(loops.end(), {columns.vectors, columns.blocks});
    std::vector<CountedLoop> tasks;
    for (const int axis : order) {
        if (is_outer(axis)) {
            tasks.push_back({vars[static_cast<size_t>(axis)], known_extent(funcs, axis)});
        }
    }
    for (auto axis = order.rbegin(); axis != order.rend(); ++axis) {
        if (*axis != column_axis && *axis != row_axis && !is_outer(*axis)) {
            loops.emplace_back(vars[static_cast<size_t>(*axis)]);
        }
    }
    tasks.push_back({panels, all < 0 ? -1 : ceil_div(all, rows)});
    loops.emplace_back(row);
    loops.emplace_back(panel);
    add_inside_out(tasks, loops);
    root.reorder(loops);
    columns.vectorize(root);
    for (Func stage : funcs.stages) {
        stage.compute_at(root, panel);
    }
    if (!funcs.is_panel && rows_tasks(nest) > 0) {
        parallelize(root, tasks);
    }
}

// The root's loops around its panels, which are computed in those over rows; outermost first.
struct RowLoops {
    Columns columns;
    std::vector<CountedLoop> rows;      // over axes that the panels have
    std::vector<CountedLoop> inner;     // over the others
    std::optional<RowBlocks> crossing;  // of one of the rows: an operand's cache lines lie along it
    bool blocks_are_rows = false;       // blocks of columns are tasks
    bool panels_come_first = false;     // stored whole, before all of these loops

    bool has_blocks_outside() const { return blocks_are_rows && !panels_come_first; }
    // The loops that panels are computed in.
    std::vector<CountedLoop> outside() const {
        std::vector<CountedLoop> loops = rows;
        if (has_blocks_outside()) {
            loops.push_back({columns.blocks, columns.trips()});
        }
        return loops;
    }
};

// The axes that columns run along, the innermost first: the column axis, and rows that follow each other in memory where
// they are no whole number of vectors.
std::vector<int> flat_columns(const NestFuncs &funcs, const Nest &nest,
                              const std::vector<int> &order, int column_axis) {
    const bool are_whole = known_extent(funcs, column_axis) % rows_vector(nest) == 0;
    const bool has_choice = parameter(nest, "crossing_axis") < 0 &&
                            parameter(nest, "interleaved", 1) == 1 && order.back() == column_axis;
    if (are_whole || !has_choice || !funcs.panels.empty()) {
        return {column_axis};
    }
    return {order.rbegin(), order.rbegin() + flat_axes(funcs, order)};
}

// The axes that blocks across an operand's cache lines run along, the innermost first: rows that are no whole number of
// blocks are walked together with the next ones, but not with the columns.
std::vector<int> across(const NestFuncs &funcs, const std::vector<int> &order, int column_axis,
                        int axis) {
    const auto own = std::find(order.begin(), order.end(), axis);
    if (own == order.end() || known_extent(funcs, axis) % kCrossingBlock == 0) {
        return {axis};
    }
    const auto columns = std::find(order.begin(), own, column_axis);
    const std::vector<int> outside(columns == own ? order.begin() : columns + 1, own + 1);
    const auto flat = outside.rbegin() + flat_axes(funcs, outside);
    int64_t rows = 1;
    std::for_each(outside.rbegin(), flat, [&](int next) { rows *= known_extent(funcs, next); });
    return are_about_whole_blocks(rows) ? std::vector<int>{outside.rbegin(), flat}
                                        : std::vector<int>{axis};
}

RowLoops choose_loops(const NestFuncs &funcs, const Nest &nest, const std::vector<int> &order) {
    const std::vector<Var> vars = pure_vars(funcs.root);
    const int wanted_axis = parameter(nest, "column_axis");
    const int column_axis = wanted_axis < 0 ? order.back() : wanted_axis;
    const bool has_panels = !funcs.panels.empty();
    RowLoops loops;
    const bool panels_have_columns =
        has_panels && panels_have(funcs, vars[static_cast<size_t>(column_axis)]);
    const std::vector<int> flat = flat_columns(funcs, nest, order, column_axis);
    std::vector<CountedLoop> all;
    for (const int axis : order) {
        if (std::find(flat.begin(), flat.end(), axis) == flat.end()) {
            const Var &v = vars[static_cast<size_t>(axis)];
            all.push_back({v, known_extent(funcs, axis)});
            (panels_have(funcs, v) ? loops.rows : loops.inner).push_back(all.back());
        }
    }
    const int64_t least_blocks =
        ceil_div(std::max(tasks_of(funcs, nest), 1), std::max<int64_t>(total_trips(loops.rows), 1));
    loops.blocks_are_rows = panels_have_columns || (!has_panels && least_blocks > 1);
    loops.columns = columns_of(funcs, nest, flat,
                               {loops.blocks_are_rows ? least_blocks : 0,
                                panels_have_columns ? kMostVectorsPerBlock : kMaxTasks});
    const int crossing_axis = parameter(nest, "crossing_axis");
    if (crossing_axis >= 0 && crossing_axis != column_axis && !has_panels) {
        const RowBlocks block =
            row_blocks_of(funcs, across(funcs, order, column_axis, crossing_axis));
        std::erase_if(loops.rows, [&](const CountedLoop &loop) { return block.has(loop.var); });
        loops.rows.push_back({block.var, block.trips()});
        loops.crossing = block;
    }
    // Where these loops are too few for the threads, panels come before all of them.
    const std::vector<CountedLoop> outside = loops.outside();
    if (has_panels &&
        (outside.empty() || total_trips(outside) * kTasksPerThread < tasks_of(funcs, nest))) {
        loops.panels_come_first = true;
        loops.rows = std::move(all);
        loops.inner.clear();
    }
    return loops;
}

void make_loops(Func root, const RowLoops &loops) {
    const Columns &columns = loops.columns;
    columns.split(root);
    std::vector<VarOrRVar> order = columns.set();
    if (const auto &block = loops.crossing) {
        block->split(root);
        order.emplace_back(block->steps);
    }
    order.emplace_back(columns.vectors);
    if (!loops.has_blocks_outside()) {
        order.emplace_back(columns.blocks);
    }
    add_inside_out(loops.inner, order);
    add_inside_out(loops.outside(), order);
    root.reorder(order);
    columns.vectorize(root);
}

}  // namespace

std::vector<int> memory_order(const NestFuncs &funcs) {
    const Func &root = funcs.root;
    const int rank = root.dimensions();
    const auto buffers = root.function().output_buffers();
    const auto &storage = root.function().schedule().storage_dims();  // innermost first
    std::vector<std::pair<int64_t, int>> keyed;
    bool strides_known = !buffers.empty();
    for (int axis = 0; axis < rank; axis++) {
        const auto stride =
            strides_known ? as_const_int(buffers.front().stride_constraint(axis)) : std::nullopt;
        strides_known = strides_known && stride;
        keyed.emplace_back(stride ? *stride : 0, axis);
    }
    for (auto &[key, axis] : keyed) {
        if (!strides_known) {
            const std::string &name = root.function().args()[static_cast<size_t>(axis)];
            key = std::find_if(storage.begin(), storage.end(),
                               [&](const auto &dim) { return dim.var == name; }) -
                  storage.begin();
        }
        if (known_extent(funcs, axis) == 1) {
            key = std::numeric_limits<int64_t>::max();
        }
    }
    std::stable_sort(keyed.begin(), keyed.end(),
                     [](const auto &a, const auto &b) { return a.first > b.first; });
    std::vector<int> axes;
    for (const auto &[key, axis] : keyed) {
        axes.push_back(axis);
    }
    return axes;
}

void apply_rows(const NestFuncs &funcs, const Nest &nest) {
    Func root = funcs.root;
    const int vector = rows_vector(nest);
    const int tasks = tasks_of(funcs, nest);
    if (root.dimensions() == 0) {
        if (!funcs.stages.empty()) {
            throw Error("loop nest '" + nest.template_name + "' has no rows to compute panels at");
        }
        for (const Func &panel : funcs.panels) {
            store_whole(panel, "", vector, tasks > 1);
        }
        return;
    }
    const std::vector<int> order = memory_order(funcs);
    if (!funcs.stages.empty()) {
        apply_with_stages(funcs, nest, order);
        return;
    }
    const RowLoops loops = choose_loops(funcs, nest, order);
    make_loops(root, loops);

    std::vector<CountedLoop> outside = loops.outside();
    Var at;
    if (!funcs.panels.empty() && !loops.panels_come_first) {
        // Panels hang on the innermost of these loops: keep one that no fusion takes away.
        Var single("row"), rest("rowo");
        root.split(outside.back().var, rest, single, 1);
        outside.back().var = rest;
        at = single;
    }
    parallelize_rows(root, outside, tasks);
    const std::string &column = loops.columns.rows.front().name();
    for (Func panel : funcs.panels) {
        if (loops.panels_come_first) {
            store_whole(panel, column, vector, tasks > 1);
        } else {
            panel.compute_at(root, at);
            vectorize_panel(panel, column, loops.columns.vector);
        }
    }
    for (int i = 0; i < root.num_update_definitions(); i++) {
        // A root with updates of its own (a foreign pipeline's): as it is written.
        root.update(i).unscheduled();
    }
}

}  // namespace emulsion
