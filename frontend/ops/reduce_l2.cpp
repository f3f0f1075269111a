// ReduceL2: the square root of the sum of squares over axes.
#include "frontend/ops/support/reduce.h"

namespace emulsion {

const Operator &onnx_reduce_l2() {
    static const Operator reduce_l2 = reduce_operator("ReduceL2", norm_rule(2));
    return reduce_l2;
}

}  // namespace emulsion
