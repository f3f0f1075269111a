// ReduceL1: the sum of absolute values over axes.
#include "frontend/ops/support/reduce.h"

namespace emulsion {

const Operator &onnx_reduce_l1() {
    static const Operator reduce_l1 = reduce_operator("ReduceL1", norm_rule(1));
    return reduce_l1;
}

}  // namespace emulsion
