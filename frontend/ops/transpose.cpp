// Transpose: axis i of the result is axis perm[i] of the operand; without perm, axes are reversed.
#include <algorithm>

#include "frontend/ops/support/checks.h"
#include "frontend/ops/support/lists.h"

namespace emulsion {

using Halide::Expr;
using Halide::Func;

namespace {

std::vector<int> permutation(const OperatorContext &context) {
    const int rank = context.input(0).rank();
    std::vector<int> perm = all_axes(rank);
    std::reverse(perm.begin(), perm.end());
    if (!context.node().has("perm")) {
        return perm;
    }
    const std::vector<int64_t> attribute = context.node().integers("perm", {});
    require_length(context, attribute, static_cast<size_t>(rank), "attribute perm");
    return distinct_axes(context, attribute, rank, "attribute perm");
}

void check_transpose(const OperatorContext &context) {
    const std::vector<int64_t> x = context.input_shape(0);
    std::vector<int64_t> shape;
    for (const int axis : permutation(context)) {
        shape.push_back(x[static_cast<size_t>(axis)]);
    }
    require_output(context, shape);
}

Func build_transpose(OperatorContext &context) {
    const Access x = context.operand(0);
    const std::vector<int> perm = permutation(context);
    const std::vector<Halide::Var> v = axes(context.input(0).rank());
    std::vector<Expr> at(v.size());
    for (size_t i = 0; i < v.size(); i++) {
        at[static_cast<size_t>(perm[i])] = v[i];
    }
    Func transposed = context.func("");
    transposed(v) = x(at);
    return transposed;
}

}  // namespace

const Operator &onnx_transpose() {
    static const Operator transpose = {
        .type = "Transpose",
        .check = check_transpose,
        .implementations = {{.name = "direct", .build = build_transpose}},
    };
    return transpose;
}

}  // namespace emulsion
