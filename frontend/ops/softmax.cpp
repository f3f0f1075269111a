// Softmax along one axis: exp(x) / sum of exp(x).
#include "frontend/ops/support/softmax.h"

namespace emulsion {

const Operator &onnx_softmax() {
    // One division for a row where it is a loop's constant.
    static const Operator softmax = softmax_operator("Softmax", [](const SoftmaxTerms &terms) {
        return terms.power * (Halide::Internal::make_one(terms.sum.type()) / terms.sum);
    });
    return softmax;
}

}  // namespace emulsion
