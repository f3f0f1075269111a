// Slice: Y(..., i, ...) = X(..., start + i * step, ...) along some axes, with numpy's rules for
// negative starts, ends and steps. All lists are compile-time operands.
#include <algorithm>
#include <fmt/format.h>

#include "frontend/ops/support/checks.h"
#include "frontend/ops/support/lists.h"

namespace emulsion {

using Halide::Expr;
using Halide::Func;

namespace {

constexpr int kStarts = 1;
constexpr int kEnds = 2;
constexpr int kSliceAxes = 3;
constexpr int kSteps = 4;

// What is read along one axis.
struct Range {
    int64_t start = 0;
    int64_t step = 1;
    int64_t count = 0;
};

// Ends beyond the tensor mean its end: ONNX writes "to the end" as the largest integer.
Range range_of(int64_t extent, int64_t start, int64_t end, int64_t step) {
    if (extent == 0) {
        return {0, 1, 0};
    }
    start += start < 0 ? extent : 0;
    end += end < 0 ? extent : 0;
    // A longer step reads one element, as this one does, and all that follows fits 64 bits.
    step = std::clamp(step, -extent, extent);
    if (step > 0) {
        start = std::clamp<int64_t>(start, 0, extent);
        end = std::clamp<int64_t>(end, 0, extent);
        return {start, step, std::max<int64_t>(0, (end - start + step - 1) / step)};
    }
    start = std::clamp<int64_t>(start, 0, extent - 1);
    end = std::clamp<int64_t>(end, -1, extent - 1);
    return {start, step, std::max<int64_t>(0, (start - end - step - 1) / -step)};
}

std::vector<int64_t> required_list(const OperatorContext &context, int index,
                                   const std::string &name) {
    auto list = operand_or_attribute(context, index, name);
    if (!list) {
        refuse(context, fmt::format("operand {} is missing", name));
    }
    return *list;
}

// One per axis of the operand.
std::vector<Range> ranges(const OperatorContext &context) {
    const std::vector<int64_t> x = context.input_shape(0);
    std::vector<Range> result;
    for (const int64_t extent : x) {
        result.push_back({0, 1, extent});
    }
    const std::vector<int64_t> starts = required_list(context, kStarts, "starts");
    const std::vector<int64_t> ends = required_list(context, kEnds, "ends");
    require_length(context, ends, starts.size(), "operand ends");
    const int rank = static_cast<int>(x.size());
    std::vector<int> sliced;
    if (const auto axes = operand_or_attribute(context, kSliceAxes, "axes")) {
        require_length(context, *axes, starts.size(), "operand axes");
        sliced = distinct_axes(context, *axes, rank, "operand axes");
    } else {
        if (starts.size() > x.size()) {
            refuse(context, fmt::format("operand starts has {} elements, but the tensor has {} "
                                        "axes",
                                        starts.size(), rank));
        }
        sliced = all_axes(static_cast<int>(starts.size()));
    }
    std::vector<int64_t> steps(starts.size(), 1);
    if (context.has_input(kSteps)) {
        steps = constant_integers(context, kSteps);
        require_length(context, steps, starts.size(), "operand steps");
    }
    for (size_t i = 0; i < starts.size(); i++) {
        if (steps[i] == 0) {
            refuse(context,
                   fmt::format("operand steps is {}; a step can't be 0", to_string(steps)));
        }
        const auto axis = static_cast<size_t>(sliced[i]);
        result[axis] = range_of(x[axis], starts[i], ends[i], steps[i]);
    }
    return result;
}

void check_slice(const OperatorContext &context) {
    std::vector<int64_t> shape;
    for (const Range &range : ranges(context)) {
        shape.push_back(range.count);
    }
    if (std::count(shape.begin(), shape.end(), 0) != 0) {
        refuse(context, fmt::format("starts, ends and steps give shape {}; at least one element "
                                    "along each axis is needed",
                                    to_string(shape)));
    }
    require_output(context, shape);
}

Func build_slice(OperatorContext &context) {
    const Access x = context.operand(0);
    const std::vector<Range> along = ranges(context);
    const std::vector<Halide::Var> v = axes(context.input(0).rank());
    std::vector<Expr> at;
    for (size_t axis = 0; axis < v.size(); axis++) {
        const Range &range = along[axis];
        Expr coordinate = v[axis];
        if (range.count > 1 && range.step != 1) {
            coordinate = coordinate * static_cast<int>(range.step);
        }
        if (range.start != 0) {
            coordinate = coordinate + static_cast<int>(range.start);
        }
        at.push_back(coordinate);
    }
    Func slice = context.func("");
    slice(v) = x(at);
    return slice;
}

}  // namespace

const Operator &onnx_slice() {
    static const Operator slice = {
        .type = "Slice",
        .check = check_slice,
        .implementations = {{.name = "direct", .build = build_slice}},
        .compile_time_input = [](int index) { return index >= kStarts; },
    };
    return slice;
}

}  // namespace emulsion
