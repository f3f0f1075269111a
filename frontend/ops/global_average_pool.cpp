// GlobalAveragePool: the mean over all axes behind the channels.
#include "frontend/ops/support/reduce.h"

namespace emulsion {

const Operator &onnx_global_average_pool() {
    static const Operator global_average_pool = global_pool_operator(
        "GlobalAveragePool", [](const OperatorContext &) { return mean_rule(); });
    return global_average_pool;
}

}  // namespace emulsion
