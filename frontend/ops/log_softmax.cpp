// LogSoftmax along one axis: x - log(sum of exp(x)).
#include "frontend/ops/support/ieee.h"
#include "frontend/ops/support/real_functions.h"
#include "frontend/ops/support/softmax.h"

namespace emulsion {

const Operator &onnx_log_softmax() {
    static const Operator log_softmax =
        softmax_operator("LogSoftmax", [](const SoftmaxTerms &terms) {
            // Not x - (max + log(sum)), which rounds at the size of max.
            return strict_difference(terms.shifted, logarithm(terms.sum));
        });
    return log_softmax;
}

}  // namespace emulsion
