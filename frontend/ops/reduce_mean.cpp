// ReduceMean: the mean over axes; of integers, rounded towards zero.
#include "frontend/ops/support/reduce.h"

namespace emulsion {

const Operator &onnx_reduce_mean() {
    static const Operator reduce_mean = reduce_operator("ReduceMean", mean_rule());
    return reduce_mean;
}

}  // namespace emulsion
