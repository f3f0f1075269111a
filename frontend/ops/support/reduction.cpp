#include "frontend/ops/support/reduction.h"

#include <algorithm>

namespace emulsion {

using Halide::Expr;
using Halide::Func;

std::vector<Expr> reduction_axes(const std::vector<int64_t> &extents) {
    Halide::Region region;
    std::vector<int> position(extents.size(), -1);  // in the region
    const bool all_ones =
        std::all_of(extents.begin(), extents.end(), [](int64_t extent) { return extent == 1; });
    for (size_t i = 0; i < extents.size(); i++) {
        if (extents[i] != 1 || (all_ones && i == 0)) {
            position[i] = static_cast<int>(region.size());
            region.emplace_back(0, static_cast<int>(extents[i]));
        }
    }
    // A name given here is used as it is, where Halide's own would depend on a counter.
    const Halide::RDom domain(region, "r");
    std::vector<Expr> result;
    for (const int p : position) {
        result.push_back(p < 0 ? Expr(0) : Expr(domain[p]));
    }
    return result;
}

std::vector<Func> build_mean(OperatorContext &context, const std::vector<int> &reduced, bool keep) {
    const Access x = context.operand(0);
    const std::vector<int64_t> shape = context.input_shape(0);
    const Halide::Type type = halide_type(context.input(0).type);
    const std::vector<Halide::Var> v = axes(context.output(0).rank());

    // The last axis first: it is the innermost of ONNX's own order.
    std::vector<int> order = reduced;
    std::sort(order.rbegin(), order.rend());
    std::vector<int64_t> extents;
    double count = 1.0;
    for (const int axis : order) {
        extents.push_back(shape[static_cast<size_t>(axis)]);
        count *= static_cast<double>(extents.back());
    }
    const std::vector<Expr> r = reduction_axes(extents);

    std::vector<Expr> at;
    size_t next = 0;  // variable of the result
    for (int axis = 0; axis < static_cast<int>(shape.size()); axis++) {
        const auto found = std::find(order.begin(), order.end(), axis);
        if (found == order.end()) {
            at.emplace_back(v[next++]);
        } else {
            at.push_back(r[static_cast<size_t>(found - order.begin())]);
            next += keep ? 1 : 0;
        }
    }

    Func sum = context.func("sum");
    sum(v) = Halide::Internal::make_zero(type);
    sum(v) += x(at);
    Func result = context.func("");
    result(v) = sum(v) * Halide::Internal::make_const(type, 1.0 / count);
    return {result};
}

}  // namespace emulsion
