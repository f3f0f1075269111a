#include "autoscheduler/templates/support/loops.h"

#include <algorithm>

#include "autoscheduler/source_names.h"

namespace emulsion {

using Halide::Func;
using Halide::RVar;
using Halide::TailStrategy;
using Halide::Var;

std::vector<Var> pure_vars(const Func &func) { return func.args(); }

std::vector<RVar> reduction_vars(const Func &func, int update) {
    std::vector<RVar> vars;
    for (const auto &v : func.function().update(update).schedule().rvars()) {
        vars.emplace_back(last_part(v.var));
    }
    return vars;
}

RVar fuse_reduction(Halide::Stage update, const std::vector<RVar> &loops) {
    RVar all = loops.front();
    for (size_t i = 1; i < loops.size(); i++) {
        const RVar both("all" + std::to_string(i));
        update.fuse(all, loops[i], both);
        all = both;
    }
    return all;
}

bool matching_var(const Func &root, const Func &func, int axis, Var &found) {
    const std::vector<Var> mine = pure_vars(func);
    const Var wanted = pure_vars(root)[static_cast<size_t>(axis)];
    for (const Var &v : mine) {
        if (v.name() == wanted.name()) {
            found = v;
            return true;
        }
    }
    if (mine.size() == pure_vars(root).size()) {
        found = mine[static_cast<size_t>(axis)];
        return true;
    }
    return false;
}

void store_innermost(Func func, const Var &column) {
    std::vector<Var> order = pure_vars(func);
    if (order.size() < 2) {
        return;
    }
    const auto found = std::find_if(order.begin(), order.end(),
                                    [&](const Var &v) { return v.name() == column.name(); });
    std::rotate(order.begin(), found, found + 1);
    func.reorder_storage(order);
}

void parallelize(Func func, const std::vector<CountedLoop> &loops) {
    // Loops that run once only get in the way of the fusion.
    std::vector<Var> running;
    for (const CountedLoop &loop : loops) {
        if (loop.trips != 1) {
            running.push_back(loop.var);
        }
    }
    if (running.empty()) {
        return;
    }
    Var task = running.front();
    for (size_t i = 1; i < running.size(); i++) {
        Var fused("task" + std::to_string(i));
        func.fuse(running[i], task, fused);
        task = fused;
    }
    func.parallel(task);
}

void parallelize_rows(Func root, const std::vector<CountedLoop> &loops, int tasks) {
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
        // Halide cuts the outermost loop that decides where clamps matter, and what it cuts off keeps all of them, up to
        // gathers. Of the tasks these would be whole ones, of the loop inside a row or a plane.
        root.never_partition(fused);
    }
    root.parallel(fused);
}

int64_t known_extent(const NestFuncs &funcs, int axis) {
    const auto i = static_cast<size_t>(axis);
    return i < funcs.extents.size() ? funcs.extents[i] : -1;
}

TailStrategy pure_tail(const NestFuncs &funcs, int axis, int64_t step) {
    const int64_t extent = known_extent(funcs, axis);
    const bool enough = extent < 0 ? !funcs.is_panel : extent >= step;
    return enough ? TailStrategy::ShiftInwards : TailStrategy::GuardWithIf;
}

bool has_checks(const NestFuncs &funcs) {
    return !funcs.target.has_feature(Halide::Target::NoAsserts);
}

TailStrategy row_tail(const NestFuncs &funcs, int64_t trips, int64_t step) {
    return has_checks(funcs) && !funcs.stages.empty() && trips >= step ? TailStrategy::ShiftInwards
                                                                       : TailStrategy::GuardWithIf;
}

}  // namespace emulsion
