#include "autoscheduler/templates/support/rows.h"

#include <algorithm>
#include <limits>
#include <optional>
#include <utility>

#include "autoscheduler/templates/support/flat_axes.h"
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

// The root's loops over columns: blocks of vectors.
struct Columns {
    Var var, blocks{"co"}, vectors{"ci"}, lanes{"cl"}, steps{"cs"};
    std::vector<Var> rows;  // that are one with the columns, the innermost first
    int vector = 1;         // elements
    int interleaved = 1;    // vectors that are computed and stored together
    int per_block = 1;      // such vectors, or sets of them
    int64_t extent = -1;
    TailStrategy tail = TailStrategy::Auto;

    int block() const { return vector * interleaved * per_block; }
    int64_t trips() const { return extent < 0 ? -1 : ceil_div(extent, block()); }

    void split(Func root) const {
        Var columns = var;
        for (size_t i = 0; i < rows.size(); i++) {
            const Var both("flat" + std::to_string(i));
            root.fuse(columns, rows[i], both);
            columns = both;
        }
        root.split(columns, blocks, vectors, block(), tail);
        root.split(vectors, vectors, lanes, vector * interleaved);
        if (interleaved > 1) {
            root.split(lanes, lanes, steps, interleaved);
        }
    }
    // The loops of one set, innermost first. Halide stores unrolled vectors together that follow each other.
    std::vector<VarOrRVar> set() const {
        return interleaved > 1 ? std::vector<VarOrRVar>{lanes, steps}
                               : std::vector<VarOrRVar>{lanes};
    }
    void vectorize(Func root) const {
        root.vectorize(lanes);
        if (interleaved > 1) {
            root.unroll(steps);
        }
    }
};

// Only of whole sets, so that Halide sees at which columns they begin.
int interleaved_of(const Nest &nest, int axis, int64_t extent) {
    const int steps = parameter(nest, "interleaved", 1);
    const bool fits =
        parameter(nest, "interleaved_axis", -1) == axis && extent >= steps && extent % steps == 0;
    return fits ? steps : 1;
}

// Along `axes`, the innermost first, of which the others are flat with it (flat_axes.h); of blocks of several vectors where panels are computed for each, `least_blocks` of them if there are as many vectors; 0: of
// one vector.
Columns columns_of(const NestFuncs &funcs, const Nest &nest, const std::vector<int> &axes,
                   int64_t least_blocks, int64_t most_vectors = 1) {
    const int vector = rows_vector(nest);
    const int axis = axes.front();
    const std::vector<Var> vars = pure_vars(funcs.root);
    Columns columns;
    columns.var = vars[static_cast<size_t>(axis)];
    columns.extent = known_extent(funcs, axis);
    for (size_t i = 1; i < axes.size(); i++) {
        columns.rows.push_back(vars[static_cast<size_t>(axes[i])]);
        columns.extent *= known_extent(funcs, axes[i]);
    }
    // No longer than there are columns: the first and last vectors overlap, and if a single one is longer, all that the
    // root reads is computed for it, and there may be no such place.
    int64_t most = columns.extent;
    if (most < 0 && funcs.estimated_extent) {
        most = funcs.estimated_extent(axis);
    }
    columns.vector = vector;
    columns.interleaved = interleaved_of(nest, axis, columns.extent);
    if (most >= 0) {
        most = std::max<int64_t>(most / columns.interleaved, 1);
        columns.vector = static_cast<int>(std::min<int64_t>(vector, floor_power_of_two(most)));
    }
    if (least_blocks > 0 && columns.extent >= 0) {
        // No more blocks than that: what the last two have in common is computed twice.
        const int64_t vectors = ceil_div(columns.extent, columns.block());
        const int64_t whole = std::max<int64_t>(columns.extent / columns.block(), 1);
        columns.per_block =
            static_cast<int>(std::min({ceil_div(vectors, least_blocks), whole, most_vectors}));
    }
    columns.tail =
        columns.rows.empty() ? pure_tail(funcs, axis, columns.block()) : TailStrategy::ShiftInwards;
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
    const Columns columns = columns_of(funcs, nest, {column_axis}, 0);
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
    std::vector<CountedLoop> rows;   // over axes that the panels have
    std::vector<CountedLoop> inner;  // over the others
    std::optional<Block> crossing;   // of one of the rows: an operand's cache lines lie along it
    bool panels_have_columns = false;
    bool blocks_are_rows = false;    // blocks of columns are tasks
    bool panels_come_first = false;  // stored whole, before all of these loops

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

RowLoops choose_loops(const NestFuncs &funcs, const Nest &nest, const std::vector<int> &order) {
    const std::vector<Var> vars = pure_vars(funcs.root);
    const int wanted_axis = parameter(nest, "column_axis");
    const int column_axis = wanted_axis < 0 ? order.back() : wanted_axis;
    const bool has_panels = !funcs.panels.empty();
    RowLoops loops;
    loops.panels_have_columns =
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
    loops.blocks_are_rows = loops.panels_have_columns || (!has_panels && least_blocks > 1);
    loops.columns = columns_of(funcs, nest, flat, loops.blocks_are_rows ? least_blocks : 0,
                               loops.panels_have_columns ? kMostVectorsPerBlock : kMaxTasks);
    const int crossing_axis = parameter(nest, "crossing_axis");
    if (crossing_axis >= 0 && crossing_axis != column_axis && !has_panels) {
        const Block block = block_of(funcs, crossing_axis);
        std::erase_if(loops.rows,
                      [&](const CountedLoop &loop) { return loop.var.name() == block.var.name(); });
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
        root.split(block->var, block->var, block->steps, static_cast<int>(block->size), block->tail)
            .unroll(block->steps);
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
    const std::string &column = loops.columns.var.name();
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
