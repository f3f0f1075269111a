// ReduceSumSquare: the sum of squares over axes.
#include "frontend/ops/support/reduce.h"

namespace emulsion {

namespace {

ReduceRule sum_square_rule() {
    ReduceRule rule = sum_rule();
    rule.element = [](const Halide::Expr &x) { return x * x; };
    return rule;
}

}  // namespace

const Operator &onnx_reduce_sum_square() {
    static const Operator reduce_sum_square = reduce_operator("ReduceSumSquare", sum_square_rule());
    return reduce_sum_square;
}

}  // namespace emulsion
