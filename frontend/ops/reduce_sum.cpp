// ReduceSum: the sum over axes.
#include "frontend/ops/support/reduce.h"

namespace emulsion {

const Operator &onnx_reduce_sum() {
    static const Operator reduce_sum = reduce_operator("ReduceSum", sum_rule());
    return reduce_sum;
}

}  // namespace emulsion
