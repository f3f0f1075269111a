// ArgMin: the position of the smallest element along one axis, as i64.
#include "frontend/ops/support/arg_extreme.h"

namespace emulsion {

const Operator &onnx_arg_min() {
    static const Operator arg_min = arg_operator("ArgMin", Extreme::Smallest);
    return arg_min;
}

}  // namespace emulsion
