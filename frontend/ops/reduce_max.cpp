// ReduceMax: the largest element; of bools, whether any is true.
#include "frontend/ops/support/reduce.h"

namespace emulsion {

const Operator &onnx_reduce_max() {
    static const Operator reduce_max = reduce_operator("ReduceMax", max_rule());
    return reduce_max;
}

}  // namespace emulsion
