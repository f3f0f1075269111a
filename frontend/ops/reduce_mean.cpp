// ReduceMean: the mean over the axes of compile-time operand 1; over all axes if there are none, or,
// with noop_with_empty_axes, over no axis.
#include <algorithm>
#include <numeric>

#include "frontend/ops/support/checks.h"
#include "frontend/ops/support/copy.h"
#include "frontend/ops/support/reduction.h"

namespace emulsion {

using Halide::Func;

namespace {

constexpr int kAxes = 1;

std::vector<int> reduced_axes(const OperatorContext &context) {
    const int rank = context.input(0).rank();
    std::vector<int> result;
    if (context.has_input(kAxes)) {
        for (const int64_t axis : constant_integers(context, kAxes)) {
            result.push_back(normalize_axis(context, axis, rank, "an element of operand axes"));
        }
    }
    if (result.empty() && context.node().integer("noop_with_empty_axes", 0) == 0) {
        result.resize(static_cast<size_t>(rank));
        std::iota(result.begin(), result.end(), 0);
    }
    std::sort(result.begin(), result.end());
    return result;
}

void check(const OperatorContext &context) {
    require_type(context, 0, kFloatTypes);
    if (context.node().has("axes")) {
        refuse(context, "axes is an attribute, as before opset 18; only the operand is supported");
    }
    const std::vector<int> reduced = reduced_axes(context);
    if (std::adjacent_find(reduced.begin(), reduced.end()) != reduced.end()) {
        refuse(context, "operand axes names an axis twice");
    }
    const bool keep = context.node().integer("keepdims", 1) != 0;
    const std::vector<int64_t> x = context.input_shape(0);
    std::vector<int64_t> shape;
    for (int axis = 0; axis < static_cast<int>(x.size()); axis++) {
        if (!std::binary_search(reduced.begin(), reduced.end(), axis)) {
            shape.push_back(x[static_cast<size_t>(axis)]);
        } else if (keep) {
            shape.push_back(1);
        }
    }
    require_output(context, shape);
}

std::vector<Func> build(OperatorContext &context) {
    const std::vector<int> reduced = reduced_axes(context);
    if (!reduced.empty()) {
        return build_mean(context, reduced, context.node().integer("keepdims", 1) != 0);
    }
    return build_copy(context);
}

}  // namespace

const Operator &onnx_reduce_mean() {
    static const Operator reduce_mean = {
        .type = "ReduceMean",
        .check = check,
        .implementations = {{.name = "direct", .build = build}},
        .compile_time_input = [](int index) { return index == kAxes; },
    };
    return reduce_mean;
}

}  // namespace emulsion
