#include "autoscheduler/templates/support/rows.h"

#include <algorithm>

#include "autoscheduler/templates/support/loops.h"
#include "autoscheduler/templates/support/parameters.h"

namespace emulsion {

namespace {

using Halide::Func;
using Halide::RVar;
using Halide::Stage;
using Halide::TailStrategy;
using Halide::Var;
using Halide::VarOrRVar;

// Work below this many elements is done before another thread has woken up.
constexpr int64_t kSerialElements = 32768;
constexpr int64_t kTasksPerThread = 4;
// Vectors of a row beyond which its loop is kept rolled.
constexpr int64_t kMaxVector = 64;
constexpr int64_t kMaxTasks = 1 << 20;

// Axes but the columns', outermost first: by falling stride where the root's strides are known, else
// as they come.
std::vector<int> row_axes(const Func &root, int column_axis) {
    std::vector<std::pair<int64_t, int>> keyed;
    const auto buffers = root.function().output_buffers();
    const int rank = root.dimensions();
    for (int axis = 0; axis < rank; axis++) {
        if (axis == column_axis) {
            continue;
        }
        int64_t stride = rank - axis;
        if (!buffers.empty()) {
            const auto known =
                Halide::Internal::as_const_int(buffers.front().stride_constraint(axis));
            stride = known ? *known : stride;
        }
        keyed.emplace_back(-stride, axis);
    }
    std::stable_sort(keyed.begin(), keyed.end());
    std::vector<int> axes;
    for (const auto &[stride, axis] : keyed) {
        axes.push_back(axis);
    }
    return axes;
}

// A reduction of a row: vectors along the row if it keeps the row's axis, else along the reduction.
void schedule_panel(const Func &root, Func panel, const Var &column, int vector, bool has_row,
                    const Var &row) {
    if (has_row) {
        panel.compute_at(root, row);
    } else {
        panel.compute_root();
    }
    const std::vector<Var> mine = pure_vars(panel);
    const bool keeps_column = std::any_of(mine.begin(), mine.end(),
                                          [&](const Var &v) { return v.name() == column.name(); });
    Var outer("po"), inner("pi");
    if (keeps_column) {
        panel.split(column, outer, inner, vector, TailStrategy::GuardWithIf).vectorize(inner);
    }
    if (!panel.has_update_definition()) {
        return;
    }
    Stage update = panel.update(0);
    if (vector == 1) {
        update.unscheduled();
        return;
    }
    if (keeps_column) {
        update.split(column, outer, inner, vector, TailStrategy::GuardWithIf);
        std::vector<VarOrRVar> order{inner};
        for (const RVar &r : reduction_vars(panel)) {
            order.emplace_back(r);
        }
        update.reorder(order).vectorize(inner);
    } else {
        const RVar along = reduction_vars(panel).front(), lanes("lanes");
        update.atomic().split(along, along, lanes, vector).vectorize(lanes);
    }
}

// Fuses the outermost loops until there are `tasks` iterations, and makes chunks of them parallel.
void parallelize_rows(Func root, const std::vector<Var> &loops, const std::vector<int64_t> &trips,
                      int tasks) {
    int64_t total = 1;
    Var fused;
    bool any = false;
    for (size_t i = 0; i < loops.size() && total < tasks; i++) {
        if (trips[i] == 1) {
            continue;
        }
        if (any) {
            Var next("task" + std::to_string(i));
            root.fuse(loops[i], fused, next);
            fused = next;
        } else {
            fused = loops[i];
        }
        any = true;
        // An extent that is not known is taken to be enough.
        total = trips[i] < 0 ? tasks : total * trips[i];
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

}  // namespace

NestSpace rows_space(const std::string &template_name, const NestSubject &subject,
                     int column_axis) {
    const auto extent = [&](int axis) { return subject.extents[static_cast<size_t>(axis)]; };
    int64_t elements = 1;
    for (int64_t e : subject.extents) {
        elements *= e;
    }
    const int64_t columns = subject.extents.empty() ? 1 : extent(column_axis);
    const int64_t vector = std::min<int64_t>(subject.machine.lanes(subject.result().element_bytes),
                                             floor_power_of_two(std::max<int64_t>(columns, 1)));
    const bool worth_it = elements >= kSerialElements && subject.machine.threads > 1;
    const int64_t rows = std::max<int64_t>(elements / std::max<int64_t>(columns, 1), 1);
    const int64_t tasks =
        worth_it ? std::min<int64_t>(kTasksPerThread * subject.machine.threads, rows) : 0;
    NestParameter parallel = ranged("tasks", "tasks", 1, tasks, tasks);
    if (parallel.candidates.front() != 0) {
        parallel.candidates.insert(parallel.candidates.begin(), 0);
    }
    return {template_name,
            {fixed("column_axis", "axis", column_axis),
             ranged("vector", "elements", 1, vector, vector), parallel}};
}

void apply_rows(const NestFuncs &funcs, const Nest &nest) {
    Func root = funcs.root;
    const std::vector<Var> vars = pure_vars(root);
    if (vars.empty()) {
        for (const Func &panel : funcs.panels) {
            Func f = panel;
            f.compute_root();
        }
        return;
    }
    const int rank = static_cast<int>(vars.size());
    const int column_axis = axis_parameter(nest, "column_axis", rank);
    const int vector = parameter(nest, "vector", 1, kMaxVector);
    const int tasks = parameter(nest, "tasks", 0, kMaxTasks);

    const Var column = vars[static_cast<size_t>(column_axis)];
    Var outer("co"), lanes("cl");
    root.split(column, outer, lanes, vector, pure_tail(known_extent(funcs, column_axis), vector));
    std::vector<VarOrRVar> order{lanes, outer};
    const std::vector<int> rows = row_axes(root, column_axis);
    for (auto it = rows.rbegin(); it != rows.rend(); ++it) {
        order.emplace_back(vars[static_cast<size_t>(*it)]);
    }
    root.reorder(order).vectorize(lanes);

    Var row = column;
    const bool has_row = !rows.empty();
    std::vector<Var> outer_loops;  // outermost first
    std::vector<int64_t> trips;
    for (size_t i = 0; i < rows.size(); i++) {
        Var v = vars[static_cast<size_t>(rows[i])];
        if (i + 1 == rows.size() && !funcs.panels.empty()) {
            // Panels hang on the innermost row loop: keep one that no fusion takes away.
            Var single("row"), fused("rowo");
            root.split(v, fused, single, 1);
            row = single;
            v = fused;
        }
        outer_loops.push_back(v);
        trips.push_back(known_extent(funcs, rows[i]));
    }
    parallelize_rows(root, outer_loops, trips, tasks);
    for (const Func &panel : funcs.panels) {
        schedule_panel(root, panel, column, vector, has_row, row);
    }
    if (!root.has_update_definition()) {
        return;
    }
    for (int i = 0; i < root.num_update_definitions(); i++) {
        // A root with updates of its own (a foreign pipeline's): as it is written.
        root.update(i).unscheduled();
    }
}

}  // namespace emulsion
