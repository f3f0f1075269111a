#include "autoscheduler/templates/support/panel.h"

#include <algorithm>
#include <optional>

#include "autoscheduler/templates/support/loops.h"
#include "autoscheduler/templates/support/parameters.h"

namespace emulsion {

namespace {

using namespace Halide::Internal;
using Halide::Expr;
using Halide::Func;
using Halide::RVar;
using Halide::Stage;
using Halide::TailStrategy;
using Halide::Var;
using Halide::VarOrRVar;

// Calls to look at before giving up: definitions that read each other twice grow exponentially.
constexpr int kMostCalls = 200;
// Fewer elements than this are not worth a vector.
constexpr int64_t kLeastLanes = 4;
// The loop over the vectors of an axis.
const char *const kVectors = "po";

// The dimension of a buffer whose elements lie side by side, or -1.
int contiguous_dimension(const Halide::Parameter &parameter) {
    for (int d = 0; d < parameter.dimensions(); d++) {
        const auto stride = as_const_int(parameter.stride_constraint(d));
        const auto extent = as_const_int(parameter.extent_constraint(d));
        if (stride && *stride == 1 && !(extent && *extent == 1)) {
            return d;
        }
    }
    return -1;
}

// Finds the buffer of the highest rank that an expression reads, directly or through pure Funcs, and
// the index of its contiguous dimension.
class BufferRead : public IRVisitor {
public:
    std::optional<Expr> index;

private:
    using IRVisitor::visit;

    void visit(const Call *call) override {
        IRVisitor::visit(call);
        if (calls_++ > kMostCalls) {
            return;
        }
        if (call->call_type == Call::Image && call->param.defined()) {
            const int d = contiguous_dimension(call->param);
            if (d >= 0 && call->args.size() > rank_) {
                rank_ = call->args.size();
                index = call->args[static_cast<size_t>(d)];
            }
        } else if (call->call_type == Call::Halide && call->func.defined()) {
            const Function callee(call->func);
            if (callee.has_update_definition() || callee.has_extern_definition() ||
                callee.values().size() != 1) {
                return;
            }
            std::map<std::string, Expr> at;
            for (size_t i = 0; i < call->args.size(); i++) {
                at[callee.args()[i]] = call->args[i];
            }
            substitute(at, callee.values().front()).accept(this);
        }
    }

    size_t rank_ = 0;
    int calls_ = 0;
};

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

void vectorize_along_axis(Func panel, const Var &axis, int vector) {
    const Var vectors(kVectors), inner("pi");
    panel.split(axis, vectors, inner, vector, TailStrategy::GuardWithIf).vectorize(inner);
    Stage update = panel.update(0);
    update.split(axis, vectors, inner, vector, TailStrategy::GuardWithIf);
    std::vector<VarOrRVar> order{inner};
    for (const RVar &r : reduction_vars(panel)) {
        order.emplace_back(r);
    }
    update.reorder(order).vectorize(inner);
}

void vectorize_along_reduction(Func panel, const RVar &along, int64_t extent, int vector) {
    const int lanes = extent < 0 ? vector : reduction_lanes(extent, vector);
    if (lanes < kLeastLanes || !is_associative(panel)) {
        panel.update(0).unscheduled();
        return;
    }
    const RVar inner("lanes");
    panel.update(0).atomic().split(along, along, inner, lanes).vectorize(inner);
}

}  // namespace

std::string contiguous_variable(const Func &panel) {
    if (!panel.has_update_definition()) {
        return "";
    }
    BufferRead read;
    for (const Expr &value : panel.function().update(0).values()) {
        value.accept(&read);
    }
    if (!read.index) {
        return "";
    }
    for (const RVar &r : reduction_vars(panel)) {
        if (expr_uses_var(*read.index, r.name())) {
            return r.name();
        }
    }
    for (const Var &v : pure_vars(panel)) {
        if (expr_uses_var(*read.index, v.name())) {
            return v.name();
        }
    }
    return "";
}

void vectorize_panel(const Func &panel, const std::string &column, int vector) {
    Func f = panel;
    if (!f.has_update_definition()) {
        return;
    }
    if (vector == 1) {
        f.update(0).unscheduled();
        return;
    }
    const std::vector<Var> axes = update_axes(f);
    std::string along = contiguous_variable(f);
    for (const std::string &wanted : {along, column}) {
        const auto axis = std::find_if(axes.begin(), axes.end(),
                                       [&](const Var &v) { return v.name() == wanted; });
        if (axis != axes.end()) {
            vectorize_along_axis(f, *axis, vector);
            return;
        }
        const FuncFacts facts = func_facts(f.function());
        for (const ReductionLoop &loop : facts.reduction) {
            if (loop.name == wanted) {
                vectorize_along_reduction(f, RVar(loop.name), loop.extent, vector);
                return;
            }
        }
    }
    const FuncFacts facts = func_facts(f.function());
    if (facts.reduction.empty()) {  // an update of single elements
        f.update(0).unscheduled();
        return;
    }
    const ReductionLoop &first = facts.reduction.front();
    vectorize_along_reduction(f, RVar(first.name), first.extent, vector);
}

void store_whole(const Func &panel, const std::string &column, int vector, bool parallel) {
    Func f = panel;
    f.compute_root();
    if (!f.has_update_definition()) {
        return;
    }
    vectorize_panel(f, column, vector);
    if (!parallel) {
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
