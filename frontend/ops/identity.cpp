// Identity: Y = X. A pass removes it where it can.
#include "frontend/ops/support/copy.h"

namespace emulsion {

const Operator &onnx_identity() {
    static const Operator identity = {
        .type = "Identity",
        .check = check_copy,
        .implementations = {{.name = "direct", .build = build_copy}},
    };
    return identity;
}

}  // namespace emulsion
