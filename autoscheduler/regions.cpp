#include "autoscheduler/regions.h"

#include <algorithm>
#include <limits>

#include "autoscheduler/func_order.h"
#include "autoscheduler/inline_only.h"

namespace emulsion {

namespace {

using namespace Halide::Internal;
using Halide::Expr;
using Halide::Func;

std::map<std::string, Box> boxes_of(const std::vector<Expr> &expressions,
                                    const Scope<Interval> &scope, const FuncValueBounds &values) {
    std::map<std::string, Box> boxes;
    for (const Expr &e : expressions) {
        for (auto &[callee, box] : boxes_required(e, scope, values)) {
            box.used = Expr();  // all that may be read
            merge_boxes(boxes[callee], box);
        }
    }
    return boxes;
}

class Calls : public IRGraphVisitor {
public:
    std::vector<const Call *> found;

private:
    using IRGraphVisitor::visit;

    void visit(const Call *op) override {
        if (op->call_type == Call::Halide) {
            found.push_back(op);
        }
        IRGraphVisitor::visit(op);
    }
};

std::vector<const Call *> calls_in(const Expr &e) {
    Calls calls;
    e.accept(&calls);
    return calls.found;
}

// Ends that Expr can hold as an index.
Interval interval(int64_t first, int64_t last) {
    constexpr int64_t kLeast = std::numeric_limits<int>::min() / 2,
                      kMost = std::numeric_limits<int>::max() / 2;
    return {static_cast<int>(std::clamp(first, kLeast, kMost)),
            static_cast<int>(std::clamp(last, kLeast, kMost))};
}

Box box_of_output(const Function &f) {
    Box box(f.args().size());
    for (size_t i = 0; i < box.size(); i++) {
        const int dim = static_cast<int>(i);
        const auto &buffer = f.output_buffers().front();
        const Expr min = buffer.min_constraint(dim), extent = buffer.extent_constraint(dim);
        const bool known = min.defined() && extent.defined();
        box[i] = known ? Interval(min, simplify(min + extent - 1)) : Interval::everything();
    }
    return box;
}

Scope<Interval> fixed_scope(const Function &f, const FuncDefinition &definition, const Box &box) {
    Scope<Interval> scope;
    for (size_t i = 0; i < f.args().size(); i++) {
        scope.push(f.args()[i], box[i]);
    }
    for (const ReductionVariable &r : definition.reduced) {
        scope.push(r.var, Interval(r.min, simplify(r.min + r.extent - 1)));
    }
    return scope;
}

// Halide computes what updates write of a Func beside what is read of it.
void include_written(const Function &f, const FuncDefinition &definition,
                     const FuncValueBounds &values, Box &box) {
    const Scope<Interval> scope = fixed_scope(f, definition, box);
    for (size_t axis = 0; axis < definition.args.size(); axis++) {
        const auto *v = definition.args[axis].as<Variable>();
        if (v == nullptr || v->name != f.args()[axis]) {
            box[axis].include(bounds_of_expr_in_scope(definition.args[axis], scope, values));
        }
    }
}

}  // namespace

Regions::Regions(const std::vector<Func> &outputs)
    : estimates_(outputs), inline_only_(emulsion::inline_only(outputs)) {
    const std::vector<Function> functions = functions_of(outputs);
    for (const Func &output : outputs) {
        outputs_.insert(output.name());
    }
    env_ = build_environment(functions);
    order_ = structural_order(functions);
    for (const auto &[key, bounds] : compute_function_value_bounds(order_, env_)) {
        Interval &estimated = estimated_values_[key] = bounds;
        if (bounds.has_lower_bound()) {
            estimated.min = estimates_.substituted(bounds.min);
        }
        if (bounds.has_upper_bound()) {
            estimated.max = estimates_.substituted(bounds.max);
        }
    }
    for (const std::string &name : order_) {
        definitions_[name] = definitions_of(env_.at(name));
    }
    for (const std::string &name : outputs_) {
        boxes_[name] = estimates_.output(name);
    }
    for (auto it = order_.rbegin(); it != order_.rend(); ++it) {
        settle(env_.at(*it));
        infer(env_.at(*it));
    }
}

int64_t Regions::min(const std::string &func, size_t axis) const {
    return *as_const_int(box(func)[axis].min);
}

int64_t Regions::extent(const std::string &func, size_t axis) const {
    return *as_const_int(box(func)[axis].max) - min(func, axis) + 1;
}

Interval Regions::range(const ReductionVariable &r) const {
    const int64_t min = estimates_.constant(r.min).value_or(0);
    const int64_t extent = estimates_.constant(r.extent).value_or(estimates_.longest());
    return interval(min, min + std::max<int64_t>(extent, 1) - 1);
}

std::map<std::string, Box> Regions::needed(const std::vector<Expr> &expressions,
                                           const Scope<Interval> &variables) const {
    std::vector<Expr> estimated;
    estimated.reserve(expressions.size());
    std::set<std::string> asked;
    for (const Expr &e : expressions) {
        estimated.push_back(estimates_.substituted(e));
        for (const Call *call : calls_in(estimated.back())) {
            asked.insert(call->name);
        }
    }
    std::map<std::string, Box> boxes = boxes_of(estimated, variables, estimated_values_);
    for (const Expr &e : expressions) {
        // Of f(x) > f(x) nothing is left, but Halide asks for what is written.
        const std::vector<const Call *> calls = calls_in(e);
        if (std::any_of(calls.begin(), calls.end(),
                        [&](const Call *call) { return asked.count(call->name) == 0; })) {
            boxes.merge(boxes_of({e}, variables, estimated_values_));
        }
    }
    return boxes;
}

// What `f` reads. What is only ever inlined is asked for at its own region as well, but does not ask itself:
// its readers do, with its definition in theirs.
void Regions::infer(const Function &f) {
    const bool inlined = inline_only_.count(f.name()) != 0;
    for (const std::string &read : extern_reads(f)) {
        // The user's code asks for what it needs when it runs: taken to be as much as it makes.
        const auto rank = static_cast<size_t>(env_.at(read).dimensions());
        if (rank == boxes_[f.name()].size()) {
            merge_boxes(boxes_[read], boxes_[f.name()]);
        }
    }
    for (const FuncDefinition &definition : definitions(f.name())) {
        for (const Expr &e : definition.expressions) {
            pass_guesses_on(f, e);
        }
        Scope<Interval> scope;
        for (size_t i = 0; i < f.args().size(); i++) {
            scope.push(f.args()[i], boxes_.at(f.name())[i]);
        }
        for (const ReductionVariable &r : definition.reduced) {
            scope.push(r.var, range(r));
        }
        const auto add = [&](const std::vector<Expr> &expressions, bool only_inlined) {
            for (const auto &[callee, box] : needed(expressions, scope)) {
                const bool wanted = env_.count(callee) != 0 && callee != f.name() &&
                                    (inline_only_.count(callee) != 0) == only_inlined;
                if (wanted) {
                    merge_boxes(boxes_[callee], box);
                }
            }
        };
        if (!inline_only_.empty()) {
            add(definition.guarded, true);
        }
        if (!inlined) {
            std::vector<Expr> expanded;
            for (const Expr &e : definition.guarded) {
                expanded.push_back(inline_funcs(e, inline_only_, env_));
            }
            add(expanded, false);
        }
    }
}

// What is read for an axis of which nothing says how long it is.
void Regions::pass_guesses_on(const Function &f, const Expr &e) {
    if (guessed_.lower_bound({f.name(), 0}) == guessed_.lower_bound({f.name(), f.args().size()})) {
        return;
    }
    const Expr whole = substitute_in_all_lets(e);
    const std::vector<const Call *> calls = calls_in(whole);
    for (size_t axis = 0; axis < f.args().size(); axis++) {
        for (size_t i = 0; is_guessed(f.name(), axis) && i < calls.size(); i++) {
            const Call *call = calls[i];
            for (size_t read = 0; read < call->args.size(); read++) {
                if (call->name != f.name() && expr_uses_var(call->args[read], f.args()[axis])) {
                    guessed_.emplace(call->name, read);
                }
            }
        }
    }
}

void Regions::settle(const Function &f) {
    Box &box = boxes_[f.name()];
    box.used = Expr();
    box.resize(f.args().size());
    for (size_t axis = 0; axis < f.args().size(); axis++) {
        if (outputs_.count(f.name()) != 0 || !settle_axis(f, axis)) {
            const auto first = end(box[axis], Direction::Lower),
                       last = end(box[axis], Direction::Upper);
            if (!first || !last) {
                guessed_.emplace(f.name(), axis);
            }
            const int64_t rest = estimates_.longest() - 1;
            const int64_t begin = first ? *first : last ? *last - rest : 0;
            box[axis] = interval(begin, last ? std::max(*last, begin) : begin + rest);
        }
    }
}

// Where the region of an axis follows from declared bounds, from the readers, or else from an estimate.
bool Regions::settle_axis(const Function &f, size_t axis) {
    Interval &bounds = boxes_.at(f.name())[axis];
    const auto taken = [&](const std::vector<Bound> &from) {
        for (const Bound &b : from) {
            const auto min = estimates_.constant(b.min), extent = estimates_.constant(b.extent);
            if (b.var == f.args()[axis] && min && extent) {
                bounds = interval(*min, *min + std::max<int64_t>(*extent, 1) - 1);
                return true;
            }
        }
        return false;
    };
    if (taken(f.schedule().bounds())) {
        return true;
    }
    const auto min = bounds.has_lower_bound() ? estimates_.constant(bounds.min) : std::nullopt;
    const auto max = bounds.has_upper_bound() ? estimates_.constant(bounds.max) : std::nullopt;
    if (min && max) {
        bounds = interval(*min, std::max(*min, *max));
        return true;
    }
    return taken(f.schedule().estimates());
}

// One end of an interval as a number, if need be one that is never too far inside.
std::optional<int64_t> Regions::end(const Interval &interval, Direction direction) const {
    const bool lower = direction == Direction::Lower;
    if (lower ? !interval.has_lower_bound() : !interval.has_upper_bound()) {
        return std::nullopt;
    }
    const Expr e = estimates_.substituted(lower ? interval.min : interval.max);
    if (const auto known = as_const_int(e)) {
        return known;
    }
    const Expr bound = find_constant_bound(e, direction);
    return bound.defined() ? as_const_int(simplify(bound)) : std::nullopt;
}

std::vector<std::string> extern_reads(const Function &f) {
    std::vector<std::string> names;
    for (const Halide::ExternFuncArgument &argument : f.extern_arguments()) {
        if (argument.is_func()) {
            names.push_back(Function(argument.func).name());
        }
    }
    return names;
}

std::map<std::string, Box> fixed_boxes(const std::vector<Func> &outputs,
                                       const RestrictOutput &restrict) {
    const std::vector<Function> functions = functions_of(outputs);
    std::map<std::string, Box> fixed;
    for (const Func &output : outputs) {
        Box &box = fixed[output.name()] = box_of_output(output.function());
        if (restrict) {
            restrict(output, box);
        }
    }
    const std::map<std::string, Function> env = build_environment(functions);
    const std::vector<std::string> order = structural_order(functions);
    const FuncValueBounds values = compute_function_value_bounds(order, env);
    for (auto it = order.rbegin(); it != order.rend(); ++it) {
        const Function &f = env.at(*it);
        Box &box = fixed[*it];
        box.resize(f.args().size());
        for (const std::string &read : extern_reads(f)) {
            // As much as the user's code asks for when it runs.
            fixed[read] = Box(static_cast<size_t>(env.at(read).dimensions()));
        }
        for (const FuncDefinition &definition : definitions_of(f)) {
            include_written(f, definition, values, box);
        }
        for (const FuncDefinition &definition : definitions_of(f)) {
            const Scope<Interval> scope = fixed_scope(f, definition, box);
            for (const auto &[callee, needed] : boxes_of(definition.expressions, scope, values)) {
                if (env.count(callee) != 0 && callee != *it) {
                    merge_boxes(fixed[callee], needed);
                }
            }
        }
    }
    return fixed;
}

int64_t fixed_extent(const Interval &axis) {
    if (!axis.is_bounded()) {
        return -1;
    }
    const auto min = as_const_int(simplify(axis.min)), max = as_const_int(simplify(axis.max));
    return min && max ? *max - *min + 1 : -1;
}

std::optional<AxisEstimate> estimated_axis(const Func &output, int axis) {
    const AxisSize size = size_of_axis(output.function(), axis);
    const auto first = as_const_int(size.min), count = as_const_int(size.extent);
    return first && count ? std::optional(AxisEstimate{*first, *count}) : std::nullopt;
}

std::vector<int64_t> declared_extents(const Func &func) {
    const Function &function = func.function();
    std::vector<int64_t> extents(static_cast<size_t>(func.dimensions()), -1);
    const auto buffers = function.output_buffers();
    for (int axis = 0; axis < func.dimensions(); axis++) {
        auto &extent = extents[static_cast<size_t>(axis)];
        if (!buffers.empty() && buffers.front().extent_constraint(axis).defined()) {
            if (const auto known = as_const_int(buffers.front().extent_constraint(axis))) {
                extent = *known;
            }
        }
        for (const auto &bound : function.schedule().bounds()) {
            if (bound.var == function.args()[static_cast<size_t>(axis)] && bound.extent.defined()) {
                if (const auto known = as_const_int(bound.extent)) {
                    extent = *known;
                }
            }
        }
    }
    return extents;
}

}  // namespace emulsion
