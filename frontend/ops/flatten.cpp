// Flatten: the axes before `axis` become one, and those from it on another.
#include "frontend/ops/support/checks.h"
#include "frontend/ops/support/coordinates.h"

namespace emulsion {

namespace {

void check_flatten(const OperatorContext &context) {
    const std::vector<int64_t> x = context.input_shape(0);
    const int rank = static_cast<int>(x.size());
    const int64_t attribute = context.node().integer("axis", 1);
    // One past the last axis is allowed, unlike elsewhere: all axes come before it.
    const int axis =
        attribute == rank ? rank : normalize_axis(context, attribute, rank, "attribute axis");
    check_reshape(context, {count_elements(context, {x.begin(), x.begin() + axis}),
                            count_elements(context, {x.begin() + axis, x.end()})});
}

}  // namespace

const Operator &onnx_flatten() {
    static const Operator flatten = {
        .type = "Flatten",
        .check = check_flatten,
        .implementations = {{.name = "direct", .build = build_reshape}},
    };
    return flatten;
}

}  // namespace emulsion
