// GlobalMaxPool: the largest element over all axes behind the channels.
#include "frontend/ops/support/reduce.h"

namespace emulsion {

const Operator &onnx_global_max_pool() {
    static const Operator global_max_pool =
        global_pool_operator("GlobalMaxPool", [](const OperatorContext &) { return max_rule(); });
    return global_max_pool;
}

}  // namespace emulsion
