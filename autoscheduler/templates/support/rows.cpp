#include "autoscheduler/templates/support/rows.h"

#include <algorithm>
#include <limits>
#include <optional>

#include "autoscheduler/templates/support/loops.h"
#include "autoscheduler/templates/support/panel.h"
#include "autoscheduler/templates/support/parameters.h"
#include "fusion/ceil_div.h"
#include "fusion/error.h"

namespace emulsion {

namespace {

using Halide::Func;
using Halide::TailStrategy;
using Halide::Var;
using Halide::VarOrRVar;
using Halide::Internal::as_const_int;

constexpr int64_t kTasksPerThread = 4;
// Steps of another axis than the vectors', computed one after the other where an operand's cache lines lie
// along it: as many elements as such a line has.
constexpr int64_t kCrossingBlock = 16;
// Vectors of columns for which panels are computed at a time: a few cache lines of every row they read.
constexpr int64_t kMostVectorsPerBlock = 4;
constexpr int64_t kMaxTasks = 1 << 20;

// Axes of the root as they lie in memory, outermost first: by its strides where they are known, else in
// the order of its storage. Axes of one element come first: their strides say nothing.
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

// Whether all panels have the axis of the root, by name.
bool panels_have(const NestFuncs &funcs, const Var &axis) {
    return std::all_of(funcs.panels.begin(), funcs.panels.end(), [&](const Func &panel) {
        const std::vector<Var> mine = pure_vars(panel);
        return std::any_of(mine.begin(), mine.end(),
                           [&](const Var &v) { return v.name() == axis.name(); });
    });
}

// A loop of the root, and how often it runs (-1: unknown).
struct Loop {
    Var var;
    int64_t trips = -1;
};

// How often `loops` run together; unknown counts are taken to be enough.
int64_t total_trips(const std::vector<Loop> &loops) {
    constexpr int64_t kEnough = kMaxTasks;
    int64_t total = 1;
    for (const Loop &loop : loops) {
        total = loop.trips < 0 ? kEnough : std::min(total * loop.trips, kEnough);
    }
    return total;
}

// Fuses the outermost of `loops` (outermost first) until there are `tasks` iterations, and makes chunks
// of them parallel.
void parallelize_rows(Func root, const std::vector<Loop> &loops, int tasks) {
    int64_t total = 1;
    Var fused;
    bool any = false;
    for (size_t i = 0; i < loops.size() && total < tasks; i++) {
        if (loops[i].trips == 1) {
            continue;
        }
        if (any) {
            Var next("task" + std::to_string(i));
            root.fuse(loops[i].var, fused, next);
            fused = next;
        } else {
            fused = loops[i].var;
        }
        any = true;
        // An extent that is not known is taken to be enough.
        total = loops[i].trips < 0 ? tasks : total * loops[i].trips;
    }
    if (!any) {
        return;
    }
    if (const int64_t chunk = total / tasks; chunk > 1) {
        Var inner("chunk");
        root.split(fused, fused, inner, static_cast<int>(chunk), TailStrategy::GuardWithIf);
    }
    root.parallel(fused);
}

// The root's loops over columns: blocks of vectors.
struct Columns {
    Var var, blocks{"co"}, vectors{"ci"}, lanes{"cl"};
    int vector = 1;     // elements
    int per_block = 1;  // vectors
    int64_t extent = -1;
    TailStrategy tail = TailStrategy::Auto;

    int block() const { return vector * per_block; }
    int64_t trips() const { return extent < 0 ? -1 : ceil_div(extent, block()); }

    void split(Func root) const {
        root.split(var, blocks, vectors, block(), tail);
        root.split(vectors, vectors, lanes, vector);
    }
};

Columns columns_of(const NestFuncs &funcs, int axis, int vector, bool blocks_have_panels) {
    Columns columns;
    columns.var = pure_vars(funcs.root)[static_cast<size_t>(axis)];
    columns.extent = known_extent(funcs, axis);
    columns.vector = vector;
    if (columns.extent >= 0) {
        columns.vector =
            static_cast<int>(std::min<int64_t>(vector, floor_power_of_two(columns.extent)));
    }
    if (blocks_have_panels && columns.extent >= 0) {
        columns.per_block = static_cast<int>(
            std::clamp<int64_t>(columns.extent / columns.vector, 1, kMostVectorsPerBlock));
    }
    columns.tail = pure_tail(funcs, axis, columns.block());
    return columns;
}

// Even blocks of an axis.
struct Block {
    Var var, steps{"step"};
    int64_t size = 1, extent = -1;
    TailStrategy tail = TailStrategy::Auto;

    int64_t trips() const { return extent < 0 ? -1 : ceil_div(extent, size); }
};

Block block_of(const NestFuncs &funcs, int axis) {
    Block block;
    block.var = pure_vars(funcs.root)[static_cast<size_t>(axis)];
    block.extent = known_extent(funcs, axis);
    block.size = block.extent < 0 ? kCrossingBlock
                                  : ceil_div(block.extent, ceil_div(block.extent, kCrossingBlock));
    block.tail = pure_tail(funcs, axis, block.size);
    return block;
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
    const Columns columns = columns_of(funcs, column_axis, rows_vector(nest), false);
    const int64_t all = known_extent(funcs, row_axis);
    const Var row = vars[static_cast<size_t>(row_axis)], panels("panels"), panel("panel");
    columns.split(root);
    root.split(row, panels, row, rows, row_tail(funcs, all, rows));
    root.split(panels, panels, panel, 1);
    std::vector<VarOrRVar> loops{columns.lanes, columns.vectors, columns.blocks};
    std::vector<Var> tasks;
    std::vector<int64_t> trips;
    for (const int axis : order) {
        if (is_outer(axis)) {
            tasks.push_back(vars[static_cast<size_t>(axis)]);
            trips.push_back(known_extent(funcs, axis));
        }
    }
    for (auto axis = order.rbegin(); axis != order.rend(); ++axis) {
        if (*axis != column_axis && *axis != row_axis && !is_outer(*axis)) {
            loops.emplace_back(vars[static_cast<size_t>(*axis)]);
        }
    }
    tasks.push_back(panels);
    trips.push_back(all < 0 ? -1 : ceil_div(all, rows));
    loops.emplace_back(row);
    loops.emplace_back(panel);
    loops.insert(loops.end(), tasks.rbegin(), tasks.rend());
    root.reorder(loops).vectorize(columns.lanes);
    for (Func stage : funcs.stages) {
        stage.compute_at(root, panel);
    }
    if (!funcs.is_panel && rows_tasks(nest) > 0) {
        parallelize(root, tasks, trips);
    }
}

}  // namespace

void apply_rows(const NestFuncs &funcs, const Nest &nest) {
    Func root = funcs.root;
    const std::vector<Var> vars = pure_vars(root);
    const int wanted_axis = parameter(nest, "column_axis");
    const int vector = rows_vector(nest);
    const int tasks = funcs.is_panel ? 0 : rows_tasks(nest);
    if (vars.empty() && !funcs.stages.empty()) {
        throw Error("loop nest '" + nest.template_name + "' has no rows to compute panels at");
    }
    if (vars.empty()) {
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
    const int column_axis = wanted_axis < 0 ? order.back() : wanted_axis;
    const bool has_panels = !funcs.panels.empty();
    const bool panels_have_columns =
        has_panels && panels_have(funcs, vars[static_cast<size_t>(column_axis)]);
    const Columns columns = columns_of(funcs, column_axis, vector, panels_have_columns);

    // Axes that the panels have are outside, the others inside of the panels.
    std::vector<Loop> rows, inner;
    for (const int axis : order) {
        if (axis != column_axis) {
            const Var &v = vars[static_cast<size_t>(axis)];
            (panels_have(funcs, v) ? rows : inner).push_back({v, known_extent(funcs, axis)});
        }
    }
    const int crossing_axis = parameter(nest, "crossing_axis");
    const bool crosses = crossing_axis >= 0 && crossing_axis != column_axis && !has_panels;
    Block block;
    if (crosses) {
        block = block_of(funcs, crossing_axis);
        std::erase_if(rows, [&](const Loop &loop) { return loop.var.name() == block.var.name(); });
        rows.push_back({block.var, block.trips()});
    }
    std::vector<Loop> outside = rows;
    if (panels_have_columns) {
        outside.push_back({columns.blocks, columns.trips()});
    }
    // Where these loops are too few for the threads, panels come before all of them.
    const bool stored_whole =
        has_panels && (outside.empty() || total_trips(outside) * kTasksPerThread < tasks);
    if (stored_whole) {
        rows.clear();
        for (const int axis : order) {
            if (axis != column_axis) {
                rows.push_back({vars[static_cast<size_t>(axis)], known_extent(funcs, axis)});
            }
        }
        inner.clear();
        outside = rows;
    }

    columns.split(root);
    std::vector<VarOrRVar> loops{columns.lanes};
    if (crosses) {
        root.split(block.var, block.var, block.steps, static_cast<int>(block.size), block.tail)
            .unroll(block.steps);
        loops.emplace_back(block.steps);
    }
    loops.emplace_back(columns.vectors);
    const bool blocks_outside = panels_have_columns && !stored_whole;
    if (!blocks_outside) {
        loops.emplace_back(columns.blocks);
    }
    for (auto it = inner.rbegin(); it != inner.rend(); ++it) {
        loops.emplace_back(it->var);
    }
    if (blocks_outside) {
        loops.emplace_back(columns.blocks);
    }
    for (auto it = rows.rbegin(); it != rows.rend(); ++it) {
        loops.emplace_back(it->var);
    }
    root.reorder(loops).vectorize(columns.lanes);

    Var at;
    if (has_panels && !stored_whole) {
        // Panels hang on the innermost of these loops: keep one that no fusion takes away.
        Var single("row"), rest("rowo");
        root.split(outside.back().var, rest, single, 1);
        outside.back().var = rest;
        at = single;
    }
    parallelize_rows(root, outside, tasks);
    for (Func panel : funcs.panels) {
        if (stored_whole) {
            store_whole(panel, columns.var.name(), vector, tasks > 1);
        } else {
            panel.compute_at(root, at);
            vectorize_panel(panel, columns.var.name(), columns.vector);
        }
    }
    for (int i = 0; i < root.num_update_definitions(); i++) {
        // A root with updates of its own (a foreign pipeline's): as it is written.
        root.update(i).unscheduled();
    }
}

}  // namespace emulsion
