#include "frontend/ops/support/scatter.h"

#include <algorithm>

#include <fmt/format.h>

#include "frontend/ops/support/checks.h"
#include "frontend/ops/support/reduction.h"

namespace emulsion {

using Halide::Expr;
using Halide::Func;

namespace {

constexpr int kScatterUpdates = 2;

std::string reduction_of(const OperatorContext &context) {
    return context.node().text("reduction", "none");
}

Expr combine(const std::string &reduction, const Expr &old, const Expr &update) {
    if (reduction == "add") {
        return old + update;
    }
    if (reduction == "mul") {
        return old * update;
    }
    if (reduction == "min") {
        return Halide::min(old, update);
    }
    return reduction == "max" ? Halide::max(old, update) : update;
}

}  // namespace

void check_scatter_reduction(const OperatorContext &context) {
    const std::string reduction = reduction_of(context);
    const auto accepted = {"none", "add", "mul", "min", "max"};
    if (std::find(accepted.begin(), accepted.end(), reduction) == accepted.end()) {
        refuse(context, fmt::format("attribute reduction is '{}'; accepted: none, add, mul, min, "
                                    "max",
                                    reduction));
    }
    if (reduction != "none") {
        require_type(context, 0, kNumericTypes);
    }
}

Func build_scatter(OperatorContext &context,
                   const std::function<std::vector<Expr>(const std::vector<Expr> &)> &target) {
    const Access x = context.operand(0);
    const Access updates = context.operand(kScatterUpdates);
    const std::vector<Halide::Var> v = axes(context.input(0).rank());
    Func result = context.func("");
    std::vector<int64_t> extents = context.input_shape(kScatterUpdates);
    if (extents.empty()) {
        // One update needs no loop.
        const std::vector<Expr> at = target({});
        Expr here = Halide::Internal::const_true();
        for (size_t axis = 0; axis < v.size(); axis++) {
            here = here && v[axis] == at[axis];
        }
        const Expr old = x(to_exprs(v));
        result(v) = Halide::select(here, combine(reduction_of(context), old, updates({})), old);
        return result;
    }
    // The innermost loop along the last axis.
    std::reverse(extents.begin(), extents.end());
    std::vector<Expr> r = reduction_axes(extents);
    std::reverse(r.begin(), r.end());
    const std::vector<Expr> at = target(r);
    Func scattered = context.func("scattered");
    scattered(v) = x(to_exprs(v));
    scattered(at) = combine(reduction_of(context), scattered(at), updates(r));
    result(v) = scattered(v);
    return result;
}

}  // namespace emulsion
