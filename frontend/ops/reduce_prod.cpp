// ReduceProd: the product over axes.
#include "frontend/ops/support/reduce.h"

namespace emulsion {

namespace {

ReduceRule product_rule() {
    ReduceRule rule = sum_rule();
    rule.initial = [](Halide::Type type) { return Halide::Internal::make_one(type); };
    rule.combine = [](const Halide::Expr &total, const Halide::Expr &x) { return total * x; };
    return rule;
}

}  // namespace

const Operator &onnx_reduce_prod() {
    static const Operator reduce_prod = reduce_operator("ReduceProd", product_rule());
    return reduce_prod;
}

}  // namespace emulsion
