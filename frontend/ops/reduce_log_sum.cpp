// ReduceLogSum: the logarithm of the sum over axes.
#include "frontend/ops/support/real_functions.h"
#include "frontend/ops/support/reduce.h"

namespace emulsion {

namespace {

ReduceRule log_sum_rule() {
    ReduceRule rule = sum_rule();
    rule.accumulator = real_accumulator;
    rule.finish = [](const Halide::Expr &total, int64_t) { return logarithm(total); };
    return rule;
}

}  // namespace

const Operator &onnx_reduce_log_sum() {
    static const Operator reduce_log_sum = reduce_operator("ReduceLogSum", log_sum_rule());
    return reduce_log_sum;
}

}  // namespace emulsion
