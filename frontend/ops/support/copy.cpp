#include "frontend/ops/support/copy.h"

#include "frontend/ops/support/checks.h"

namespace emulsion {

Halide::Func build_copy(OperatorContext &context) {
    const Access x = context.operand(0);
    const std::vector<Halide::Var> v = axes(context.input(0).rank());
    Halide::Func copy = context.func("");
    copy(v) = x(to_exprs(v));
    return copy;
}

void check_copy(const OperatorContext &context) { require_output(context, context.input_shape(0)); }

}  // namespace emulsion
