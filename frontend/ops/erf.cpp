// Erf: Y = the error function of X. That of integers is rounded towards zero.
#include "frontend/ops/support/convert.h"
#include "frontend/ops/support/real_functions.h"
#include "frontend/ops/support/unary.h"

namespace emulsion {

using Halide::Expr;

const Operator &onnx_erf() {
    static const Operator op = unary_operator("Erf", kNumericTypes, [](const Expr &x) {
        return x.type().is_float() ? error_function(x)
                                   : convert(error_function(Halide::cast<double>(x)), x.type());
    });
    return op;
}

}  // namespace emulsion
