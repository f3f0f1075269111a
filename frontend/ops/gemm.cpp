// Gemm: Y = alpha * A' * B' + beta * C, where A' and B' are A and B, transposed if transA and transB
// say so, and C is broadcast.
#include "frontend/ops/support/checks.h"
#include "frontend/ops/support/reduction.h"

namespace emulsion {

using Halide::Expr;
using Halide::Func;

namespace {

// The shape of matrix operand `index`, rows first, after transposing.
std::vector<int64_t> matrix_shape(const OperatorContext &context, int index, bool transposed) {
    const std::vector<int64_t> shape = context.input_shape(index);
    return transposed ? std::vector<int64_t>{shape[1], shape[0]} : shape;
}

bool transposed(const OperatorContext &context, const std::string &attribute) {
    return context.node().integer(attribute, 0) != 0;
}

void check_gemm(const OperatorContext &context) {
    require_type(context, 0, kMatrixTypes);
    require_type(context, 1, {context.input(0).type});
    require_type_of_first(context, {2});
    require_rank(context, 0, 2);
    require_rank(context, 1, 2);
    const std::vector<int64_t> a = matrix_shape(context, 0, transposed(context, "transA"));
    const std::vector<int64_t> b = matrix_shape(context, 1, transposed(context, "transB"));
    if (a[1] != b[0]) {
        refuse(context, "matrices of " + to_string(a) + " and " + to_string(b) +
                            " (after transA and transB) can't be multiplied");
    }
    const std::vector<int64_t> shape = {a[0], b[1]};
    if (context.has_input(2) && !can_broadcast(context.input_shape(2), shape)) {
        refuse(context, describe_input(context, 2) + " has shape " +
                            to_string(context.input_shape(2)) + ", which can't be broadcast to " +
                            to_string(shape));
    }
    for (const std::string attribute : {"alpha", "beta"}) {
        if (!is_float(context.input(0).type) && context.node().real(attribute, 1.0) != 1.0) {
            refuse(context, "attribute " + attribute + " must be 1 for integer matrices");
        }
    }
    require_output(context, shape);
}

Func build_gemm(OperatorContext &context) {
    const Access a = context.operand(0);
    const Access b = context.operand(1);
    const bool transpose_a = transposed(context, "transA");
    const bool transpose_b = transposed(context, "transB");
    const double alpha = context.node().real("alpha", 1.0);
    const double beta = context.node().real("beta", 1.0);
    const bool has_addend = context.has_input(2) && beta != 0.0;
    const Halide::Type type = halide_type(context.input(0).type);
    const std::vector<Halide::Var> v = axes(2);
    const Halide::Var &row = v[0];
    const Halide::Var &column = v[1];
    const Expr k = reduction_axes({matrix_shape(context, 0, transpose_a)[1]})[0];

    Expr addend;
    bool one_per_column = false;
    if (has_addend) {
        const std::vector<int64_t> shape = context.input_shape(2);
        addend = context.operand(2)(broadcast(to_exprs(v), shape, context.result_shape()));
        one_per_column = shape.size() == 1;
    }
    // A bias is cheapest as the value that the accumulators start from.
    const bool starts_with_addend = one_per_column && alpha == 1.0 && beta == 1.0;

    Func sum = context.func("sum");
    sum(v) = starts_with_addend ? addend : Halide::Internal::make_zero(type);
    sum(v) +=
        (transpose_a ? a({k, row}) : a({row, k})) * (transpose_b ? b({column, k}) : b({k, column}));

    Expr value = sum(v);
    if (alpha != 1.0) {
        value *= Halide::Internal::make_const(type, alpha);
    }
    if (has_addend && !starts_with_addend) {
        value += beta == 1.0 ? addend : addend * Halide::Internal::make_const(type, beta);
    }
    Func result = context.func("");
    result(v) = value;
    return result;
}

}  // namespace

const Operator &onnx_gemm() {
    static const Operator gemm = {
        .type = "Gemm",
        .check = check_gemm,
        .implementations = {{.name = "direct", .build = build_gemm}},
    };
    return gemm;
}

}  // namespace emulsion
