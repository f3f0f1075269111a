// ArgMax: the position of the largest element along one axis, as i64.
#include "frontend/ops/support/arg_extreme.h"

namespace emulsion {

const Operator &onnx_arg_max() {
    static const Operator arg_max = arg_operator("ArgMax", Extreme::Largest);
    return arg_max;
}

}  // namespace emulsion
