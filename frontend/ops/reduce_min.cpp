// ReduceMin: the smallest element; of bools, whether all are true.
#include "frontend/ops/support/reduce.h"

namespace emulsion {

namespace {

ReduceRule min_rule() {
    ReduceRule rule = max_rule();
    rule.initial = [](Halide::Type type) { return type.max(); };
    rule.combine = [](const Halide::Expr &total, const Halide::Expr &x) {
        return Halide::min(total, x);
    };
    return rule;
}

}  // namespace

const Operator &onnx_reduce_min() {
    static const Operator reduce_min = reduce_operator("ReduceMin", min_rule());
    return reduce_min;
}

}  // namespace emulsion
