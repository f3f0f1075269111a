#include "autoscheduler/templates/support/transform_loops.h"

#include <algorithm>

#include "autoscheduler/templates/support/loops.h"
#include "autoscheduler/templates/support/parameters.h"
#include "autoscheduler/templates/support/transformed_tile.h"
#include "fusion/ceil_div.h"
#include "fusion/error.h"

namespace emulsion {

namespace {

using Halide::Func;
using Halide::TailStrategy;
using Halide::Var;
using Halide::VarOrRVar;
using Halide::Internal::Function;
using Rule = NestConstraint::Rule;

constexpr int64_t kMaxVector = 64, kMaxTile = 64, kMaxTasks = 1 << 20;

struct TransformNest {
    explicit TransformNest(const Nest &nest)
        : vector(parameter(nest, "vector")), tasks(parameter(nest, "tasks")),
          task_rows(parameter(nest, "task_rows")) {
        tile.column_axis = parameter(nest, "column_axis");
        tile.width_axis = parameter(nest, "width_axis");
        tile.height_axis = parameter(nest, "height_axis");
        tile.width = parameter(nest, "width");
        tile.height = parameter(nest, "height");
    }

    TransformedTile tile;
    int vector, tasks, task_rows;
};

// The Func that reads `rows`: the root, or what is inlined into it, whose axes are the root's by position.
Function reader_of(const Func &root, const Func &rows) {
    const std::map<std::string, Function> called =
        Halide::Internal::find_transitive_calls(root.function());
    for (const auto &[name, function] : called) {
        if (Halide::Internal::find_direct_calls(function).count(rows.name()) != 0 &&
            function.args().size() == root.function().args().size()) {
            return function;
        }
    }
    return root.function();
}

// Computes what a tile needs of `rows`: vectors of columns, everything else unrolled.
void compute_rows(const NestFuncs &funcs, Func rows, const TransformNest &nest, const Var &at) {
    const Function reader = reader_of(funcs.root, rows);
    const auto extents =
        rows_of_tile(func_facts(reader), rows.name(), nest.tile.extents(reader.args().size()));
    const std::string &column = reader.args()[static_cast<size_t>(nest.tile.column_axis)];
    const std::vector<Var> axes = pure_vars(rows);
    if (!extents || extents->size() != axes.size()) {
        throw Error("what a tile needs of '" + rows.name() + "' is not known");
    }
    rows.compute_at(funcs.root, at);
    for (size_t axis = 0; axis < axes.size(); axis++) {
        const auto extent = static_cast<int>((*extents)[axis]);
        if (axes[axis].name() == column) {
            store_innermost(rows, axes[axis]);
            rows.bound_extent(axes[axis], nest.vector).vectorize(axes[axis]);
            continue;
        }
        rows.bound_extent(axes[axis], extent);
        if (extent > 1) {
            rows.unroll(axes[axis]);
        }
    }
}

class TransformLoops {
public:
    TransformLoops(const NestFuncs &funcs, const TransformNest &nest)
        : funcs_(funcs), nest_(nest), root_(funcs.root), vars_(pure_vars(funcs.root)) {}

    // Returns the loop that what a tile needs is computed in.
    Var make() {
        root_.split(var(nest_.tile.column_axis), blocks_, lanes_, nest_.vector,
                    pure_tail(funcs_, nest_.tile.column_axis, nest_.vector));
        order_ = {lanes_};
        split_tile(nest_.tile.width_axis, nest_.tile.width, width_, width_tiles_);
        if (nest_.tile.height_axis >= 0) {
            split_tile(nest_.tile.height_axis, nest_.tile.height, height_, height_tiles_);
        }
        order_.emplace_back(blocks_);
        list_loops();
        for (auto loop = inside_.rbegin(); loop != inside_.rend(); ++loop) {
            order_.emplace_back(loop->var);
        }
        if (hosts_stages()) {
            host_stages();
        }
        for (auto loop = outside_.rbegin(); loop != outside_.rend(); ++loop) {
            order_.emplace_back(loop->var);
        }
        root_.reorder(order_).vectorize(lanes_);
        if (!funcs_.is_panel && nest_.tasks > 0) {
            if (hosts_stages()) {
                parallelize(root_, outside_);
            } else {
                parallelize_rows(root_, outside_, nest_.tasks);
            }
        }
        return blocks_;
    }

private:
    const Var &var(int axis) const { return vars_[static_cast<size_t>(axis)]; }
    bool hosts_stages() const { return !funcs_.stages.empty(); }

    void split_tile(int axis, int64_t size, const Var &elements, const Var &tiles) {
        root_.split(var(axis), tiles, elements, static_cast<int>(size), TailStrategy::GuardWithIf)
            .unroll(elements);
        order_.emplace_back(elements);
    }

    CountedLoop loop_over(int axis) const {
        const int64_t extent = known_extent(funcs_, axis);
        const auto tiles = [&](int64_t size) { return extent < 0 ? -1 : ceil_div(extent, size); };
        if (axis == nest_.tile.width_axis) {
            return {width_tiles_, tiles(nest_.tile.width)};
        }
        if (axis == nest_.tile.height_axis) {
            return {height_tiles_, tiles(nest_.tile.height)};
        }
        return {var(axis), extent};
    }

    // Loops that run several times, as the axes come; with stages, the tiles of a panel inside.
    void list_loops() {
        for (int axis = 0; axis < static_cast<int>(vars_.size()); axis++) {
            if (axis == nest_.tile.column_axis) {
                continue;
            }
            const bool of_tile = axis == nest_.tile.width_axis || axis == nest_.tile.height_axis;
            (hosts_stages() && of_tile ? inside_ : outside_).push_back(loop_over(axis));
        }
    }

    void host_stages() {
        const CountedLoop rows = loop_over(nest_.tile.height_axis);
        const Var panels("panels"), panel("panel");
        const int per_panel = std::max(nest_.task_rows / static_cast<int>(nest_.tile.height), 1);
        root_.split(rows.var, panels, rows.var, per_panel, row_tail(funcs_, rows.trips, per_panel))
            .split(panels, panels, panel, 1);
        order_.emplace_back(panel);
        outside_.push_back({panels, rows.trips < 0 ? -1 : ceil_div(rows.trips, per_panel)});
        for (Func stage : funcs_.stages) {
            stage.compute_at(root_, panel);
        }
    }

    const NestFuncs &funcs_;
    const TransformNest &nest_;
    Func root_;
    const std::vector<Var> vars_;
    const Var blocks_{"co"}, lanes_{"cl"}, width_{"xi"}, width_tiles_{"xo"}, height_{"yi"},
        height_tiles_{"yo"};
    std::vector<VarOrRVar> order_;               // innermost first
    std::vector<CountedLoop> inside_, outside_;  // of a panel, outermost first
};

}  // namespace

NestSpace transform_domains(int rank) {
    NestParameter vector = count_parameter("vector", "elements", 1, kMaxVector);
    vector.domain.powers_of_two = true;
    NestSpace space;
    space.parameters = {axis_parameter("column_axis", rank),
                        axis_parameter("width_axis", rank),
                        optional_axis_parameter("height_axis", rank),
                        vector,
                        count_parameter("width", "elements", 1, kMaxTile),
                        count_parameter("height", "elements", 1, kMaxTile),
                        count_parameter("tasks", "tasks", 0, kMaxTasks),
                        count_parameter("task_rows", "rows", 1, kMaxTasks)};
    space.constraints = {
        {Rule::Distinct, {"column_axis", "width_axis", "height_axis"}, 0, "names one axis twice"},
        {Rule::ProductAtMost,
         {"width", "height"},
         kMaxTile,
         "has a tile of more than " + std::to_string(kMaxTile) + " elements"}};
    return space;
}

NestSpace transform_bounds(const NestFuncs &funcs) {
    return transform_domains(funcs.root.dimensions());
}

std::vector<int64_t> transform_panel(const Nest &nest, const std::vector<int64_t> &extents) {
    const TransformNest n(nest);
    if (n.tile.height_axis < 0) {
        return {};
    }
    std::vector<int64_t> block(extents.size(), 1);
    for (const int axis : {n.tile.column_axis, n.tile.width_axis}) {
        block[static_cast<size_t>(axis)] = extents[static_cast<size_t>(axis)];
    }
    block[static_cast<size_t>(n.tile.height_axis)] =
        std::max<int64_t>(n.task_rows / n.tile.height, 1) * n.tile.height;
    return block;
}

void apply_transform(const NestFuncs &funcs, const Nest &nest) {
    const TransformNest transform(nest);
    const int64_t columns = known_extent(funcs, transform.tile.column_axis);
    if (columns < transform.vector || (!funcs.stages.empty() && transform.tile.height_axis < 0)) {
        throw Error("loop nest '" + nest.template_name + "' doesn't fit '" + funcs.root.name() +
                    "': it has too few columns, or no rows to compute panels at");
    }
    const Var at = TransformLoops(funcs, transform).make();
    for (const Func &rows : funcs.panels) {
        compute_rows(funcs, rows, transform, at);
    }
}

}  // namespace emulsion
