// GlobalAveragePool: the mean over all axes behind the channels.
#include <numeric>

#include "frontend/ops/support/checks.h"
#include "frontend/ops/support/reduction.h"

namespace emulsion {

namespace {

void check(const OperatorContext &context) {
    require_type(context, 0, kFloatTypes);
    if (context.input(0).rank() < 3) {
        refuse(context, "operand 0 has no axis behind the channels; rank 3 or more is needed");
    }
    std::vector<int64_t> shape = context.input_shape(0);
    std::fill(shape.begin() + 2, shape.end(), 1);
    require_output(context, shape);
}

std::vector<Halide::Func> build(OperatorContext &context) {
    std::vector<int> spatial(static_cast<size_t>(context.input(0).rank() - 2));
    std::iota(spatial.begin(), spatial.end(), 2);
    return build_mean(context, spatial, true);
}

}  // namespace

const Operator &onnx_global_average_pool() {
    static const Operator global_average_pool = {
        .type = "GlobalAveragePool",
        .check = check,
        .implementations = {{.name = "direct", .build = build}},
    };
    return global_average_pool;
}

}  // namespace emulsion
