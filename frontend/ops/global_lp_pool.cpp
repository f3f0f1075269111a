// GlobalLpPool: (sum of |x|^p)^(1/p) over all axes behind the channels.
#include "frontend/ops/support/checks.h"
#include "frontend/ops/support/reduce.h"

namespace emulsion {

const Operator &onnx_global_lp_pool() {
    static const Operator global_lp_pool =
        global_pool_operator("GlobalLpPool", [](const OperatorContext &context) {
            return norm_rule(norm_power(context));
        });
    return global_lp_pool;
}

}  // namespace emulsion
