#include "autoscheduler/templates/support/panel.h"

#include <algorithm>
#include <iterator>

#include "autoscheduler/partial_sums.h"
#include "autoscheduler/templates/support/dense_read.h"
#include "autoscheduler/templates/support/lane_sums.h"
#include "autoscheduler/templates/support/loops.h"
#include "autoscheduler/templates/support/parameters.h"

namespace emulsion {

namespace {

using namespace Halide::Internal;
using Halide::Func;
using Halide::RVar;
using Halide::Stage;
using Halide::TailStrategy;
using Halide::Var;
using Halide::VarOrRVar;

// Fewer elements than this are not worth a vector.
constexpr int64_t kLeastLanes = 4;
// The loop over the vectors of an axis.
const char *const kVectors = "po";
// Steps of a sum that are added to a vector between its load and its store.
constexpr int64_t kStepsAtOnce = 8;

// Pure variables that the update has as loops.
std::vector<Var> update_axes(const Func &panel) {
    const Definition &update = panel.function().update(0);
    std::vector<Var> result;
    const std::vector<Var> vars = pure_vars(panel);
    for (size_t i = 0; i < vars.size(); i++) {
        const auto *v = update.args()[i].as<Variable>();
        if (v != nullptr && v->name == vars[i].name()) {
            result.push_back(vars[i]);
        }
    }
    return result;
}

// Loops of the update, innermost first.
std::vector<std::string> loop_names(const Func &panel) {
    std::vector<std::string> names;
    for (const Halide::Internal::Dim &dim : panel.function().update(0).schedule().dims()) {
        names.push_back(dim.var);
    }
    return names;
}

bool is_associative(const Func &panel) {
    const Definition &update = panel.function().update(0);
    return prove_associativity(panel.name(), update.args(), update.values()).associative();
}

// A width for vectors along a loop of `extent` iterations: one that divides it, if it is not much less.
int reduction_lanes(int64_t extent, int vector) {
    int64_t lanes = std::min<int64_t>(vector, floor_power_of_two(std::max<int64_t>(extent, 1)));
    int64_t dividing = lanes;
    while (dividing > kLeastLanes && extent % dividing != 0) {
        dividing /= 2;
    }
    return static_cast<int>(extent % dividing == 0 ? dividing : lanes);
}

// Whole rows of vectors are walked a few steps of the sum at a time: memory is read in long pieces, and the vectors
// of sums, which are more than there are registers, go through the nearest cache once in so many steps.
void vectorize_along_axis(Func panel, const Var &axis, int vector) {
    const Var vectors(kVectors), inner("pi");
    panel.split(axis, vectors, inner, vector, TailStrategy::GuardWithIf).vectorize(inner);
    Stage update = panel.update(0);
    update.split(axis, vectors, inner, vector, TailStrategy::GuardWithIf);
    std::vector<RVar> sums = reduction_vars(panel);
    std::vector<VarOrRVar> order{inner};
    const int64_t steps = func_facts(panel.function()).reduction.front().extent;
    if (steps > 1) {
        const RVar rest("rest"), next("next");
        update.split(sums.front(), rest, next, static_cast<int>(std::min(steps, kStepsAtOnce)))
            .unroll(next);
        order.emplace_back(next);
        sums.front() = rest;
    }
    order.emplace_back(vectors);
    order.insert(order.end(), sums.begin(), sums.end());
    update.reorder(order).vectorize(inner);
}

// Of a pure definition, which what reads it reads along its columns.
void vectorize_values(Func panel, const std::string &column, int vector) {
    for (const Var &axis : pure_vars(panel)) {
        if (axis.name() == column && vector > 1) {
            const Var inner("pi");
            store_innermost(panel, axis);
            panel.split(axis, axis, inner, vector, TailStrategy::GuardWithIf).vectorize(inner);
        }
    }
}

// Those of `all` that have these names, in their order.
std::vector<ReductionLoop> loops_named(const std::vector<ReductionLoop> &all,
                                       const std::vector<std::string> &names) {
    std::vector<ReductionLoop> found;
    for (const std::string &name : names) {
        const auto named = [&](const ReductionLoop &loop) { return loop.name == name; };
        std::copy_if(all.begin(), all.end(), std::back_inserter(found), named);
    }
    return found;
}

// Vectors along `loops`, the fastest first, as if they were one.
void vectorize_along_reduction(Func panel, const std::vector<ReductionLoop> &loops, int vector) {
    const bool is_short = std::all_of(loops.begin(), loops.end(), [](const ReductionLoop &loop) {
        return loop.extent >= 0 && loop.extent < kLeastLanes;
    });
    if (!is_short && panel.dimensions() > 0 && adds_up_in_lanes(panel.function())) {
        std::vector<RVar> vars;
        int64_t steps = 1;  // 0: unknown
        for (const ReductionLoop &loop : loops) {
            vars.emplace_back(loop.name);
            steps *= std::max<int64_t>(loop.extent, 0);
        }
        sum_in_lanes(panel, fuse_reduction(panel.update(0), vars),
                     steps > 0 ? lane_shape(steps, vector) : LaneShape{vector, 1});
        return;
    }
    const RVar along(loops.front().name), inner("lanes");
    const int64_t extent = loops.front().extent;
    const int lanes = extent < 0 ? vector : reduction_lanes(extent, vector);
    if (lanes < kLeastLanes || !is_associative(panel)) {
        panel.update(0).unscheduled();
        return;
    }
    panel.update(0).atomic().split(along, along, inner, lanes).vectorize(inner);
}

}  // namespace

void vectorize_panel(const Func &panel, const std::string &column, int vector) {
    Func f = panel;
    if (!f.has_update_definition()) {
        vectorize_values(f, column, vector);
        return;
    }
    const std::vector<ReductionLoop> loops = func_facts(f.function()).reduction;
    if (vector == 1 || loops.empty()) {
        f.update(0).unscheduled();
        return;
    }
    const std::vector<Var> axes = update_axes(f);
    const DenseRead read = dense_read(f);
    for (const std::string &wanted : {read.variable, column}) {
        const auto axis = std::find_if(axes.begin(), axes.end(),
                                       [&](const Var &v) { return v.name() == wanted; });
        if (axis != axes.end()) {
            vectorize_along_axis(f, *axis, vector);
            return;
        }
        if (wanted == read.variable && !read.loops.empty()) {
            vectorize_along_reduction(f, loops_named(loops, read.loops), vector);
            return;
        }
    }
    vectorize_along_reduction(f, {loops.front()}, vector);
}

void store_whole(const Func &panel, const std::string &column, int vector, bool parallel) {
    Func f = panel;
    f.compute_root();
    vectorize_panel(f, column, vector);
    if (!parallel || !f.has_update_definition()) {
        return;
    }
    // The axes become one loop, outside of those over vectors.
    Stage update = f.update(0);
    const std::vector<std::string> names = loop_names(f);
    std::vector<Var> loops;
    for (const Var &axis : update_axes(f)) {
        if (std::find(names.begin(), names.end(), axis.name()) != names.end()) {
            loops.push_back(axis);
        }
    }
    if (loops.empty()) {
        return;
    }
    Var task = loops.front();
    for (size_t i = 1; i < loops.size(); i++) {
        const Var fused("whole" + std::to_string(i));
        update.fuse(loops[i], task, fused);
        task = fused;
    }
    const bool has_vectors = std::any_of(names.begin(), names.end(), [](const std::string &name) {
        return name.ends_with(std::string(".") + kVectors);
    });
    if (has_vectors) {
        update.reorder(Var(kVectors), task);
    }
    update.parallel(task);
}

}  // namespace emulsion
