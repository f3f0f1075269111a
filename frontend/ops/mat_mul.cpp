// MatMul, numpy's: the last two axes are matrices, the axes before them are broadcast; a 1-D operand
// is a row on the left, a column on the right, and that axis does not stay in the result.
#include "frontend/ops/support/checks.h"
#include "frontend/ops/support/reduction.h"

namespace emulsion {

using Halide::Expr;
using Halide::Func;

namespace {

struct Shapes {
    std::vector<int64_t> batch_a, batch_b;  // axes before the matrices
    bool has_rows = true;                   // false if the left operand is 1-D
    bool has_columns = true;                // false if the right operand is 1-D
    int64_t rows = 1, depth_a = 1, depth_b = 1, columns = 1;
};

Shapes shapes_of(const OperatorContext &context) {
    const std::vector<int64_t> a = context.input_shape(0);
    const std::vector<int64_t> b = context.input_shape(1);
    Shapes s;
    s.has_rows = a.size() > 1;
    s.has_columns = b.size() > 1;
    s.depth_a = a.back();
    s.depth_b = s.has_columns ? b[b.size() - 2] : b[0];
    if (s.has_rows) {
        s.rows = a[a.size() - 2];
        s.batch_a.assign(a.begin(), a.end() - 2);
    }
    if (s.has_columns) {
        s.columns = b.back();
        s.batch_b.assign(b.begin(), b.end() - 2);
    }
    return s;
}

void check_mat_mul(const OperatorContext &context) {
    require_type(context, 0, kMatrixTypes);
    require_type(context, 1, {context.input(0).type});
    for (const int index : {0, 1}) {
        if (context.input(index).rank() == 0) {
            refuse(context,
                   describe_input(context, index) + " is a scalar; rank 1 or more is needed");
        }
    }
    const Shapes s = shapes_of(context);
    if (s.depth_a != s.depth_b) {
        refuse(context, "operands of shapes " + to_string(context.input_shape(0)) + " and " +
                            to_string(context.input_shape(1)) + " can't be multiplied");
    }
    std::vector<int64_t> shape = broadcast_shape(context, s.batch_a, s.batch_b);
    if (s.has_rows) {
        shape.push_back(s.rows);
    }
    if (s.has_columns) {
        shape.push_back(s.columns);
    }
    require_output(context, shape);
}

Func build_mat_mul(OperatorContext &context) {
    const Access a = context.operand(0);
    const Access b = context.operand(1);
    const Shapes s = shapes_of(context);
    const std::vector<int64_t> shape = context.result_shape();
    const std::vector<Halide::Var> v = axes(static_cast<int>(shape.size()));
    const Expr k = reduction_axes({s.depth_a})[0];

    const size_t batch_rank = shape.size() - (s.has_rows ? 1 : 0) - (s.has_columns ? 1 : 0);
    const std::vector<Expr> batch(v.begin(), v.begin() + static_cast<ptrdiff_t>(batch_rank));
    const std::vector<int64_t> batch_shape(shape.begin(),
                                           shape.begin() + static_cast<ptrdiff_t>(batch_rank));
    std::vector<Expr> at_a = broadcast(batch, s.batch_a, batch_shape);
    if (s.has_rows) {
        at_a.emplace_back(v[batch_rank]);
    }
    at_a.push_back(k);
    std::vector<Expr> at_b = broadcast(batch, s.batch_b, batch_shape);
    at_b.push_back(k);
    if (s.has_columns) {
        at_b.emplace_back(v.back());
    }

    Func sum = context.func("sum");
    sum(v) = Halide::Internal::make_zero(halide_type(context.input(0).type));
    sum(v) += a(at_a) * b(at_b);
    Func result = context.func("");
    result(v) = sum(v);
    return result;
}

}  // namespace

const Operator &onnx_mat_mul() {
    static const Operator mat_mul = {
        .type = "MatMul",
        .check = check_mat_mul,
        .implementations = {{.name = "direct", .build = build_mat_mul}},
    };
    return mat_mul;
}

}  // namespace emulsion
