// MaxPool: the largest element of each window; padding never wins. The second result says where in
// operand 0 it is: the position in row-major order, or with storage_order 1 with the spatial axes in
// column-major order.
#include <limits>

#include <fmt/format.h>

#include "frontend/ops/support/checks.h"
#include "frontend/ops/support/padded_planes.h"
#include "frontend/ops/support/position.h"
#include "frontend/ops/support/reduction.h"
#include "frontend/ops/support/window.h"

namespace emulsion {

using Halide::Expr;
using Halide::Func;

namespace {

constexpr int kMaxPoolIndices = 1;
constexpr int64_t kMostPositions = int64_t{1} << 28;

void check_max_pool(const OperatorContext &context) {
    require_type(context, 0, {DataType::F32, DataType::F64, DataType::I8, DataType::U8});
    const std::vector<WindowAxis> windows = pool_windows(context);
    const std::vector<int64_t> x = context.input_shape(0);
    const bool indices = context.result_index() == kMaxPoolIndices;
    require_result(context, window_output_shape(x[0], x[1], windows),
                   indices ? DataType::I64 : context.input(0).type);
    const int64_t order = context.node().integer("storage_order", 0);
    if (order != 0 && order != 1) {
        refuse(context, fmt::format("attribute storage_order is {}; 0 and 1 are accepted", order));
    }
    // Positions inside one image are 32-bit, those of windows that leave it too.
    const std::vector<int64_t> image(x.begin() + 2, x.end());
    if (indices && count_elements(context, image) > kMostPositions) {
        refuse(context, "result Indices: operand 0 has more than 2^28 elements per channel");
    }
}

// The position of spatial coordinates in row-major order.
Expr flatten(const std::vector<WindowAxis> &windows, const std::vector<Expr> &coordinates) {
    Expr flat = 0;
    for (size_t i = 0; i < windows.size(); i++) {
        flat = flat * static_cast<int>(windows[i].input) + coordinates[i + 2];
    }
    return flat;
}

// A position in row-major order as the position of the same element in column-major order.
Expr to_column_major(const std::vector<WindowAxis> &windows, const Expr &flat) {
    Expr rest = flat;
    Expr result = 0;
    for (size_t i = windows.size(); i-- > 0;) {
        const int extent = static_cast<int>(windows[i].input);
        // The last axis is the slowest.
        result = result * extent + rest % extent;
        rest = rest / extent;
    }
    return result;
}

// The first tap of each window, in row-major order, whose element is the largest.
Expr index_of_largest(OperatorContext &context, const std::vector<WindowAxis> &windows,
                      const Access &x, const std::vector<Halide::Var> &v) {
    const auto tap = [&]() -> Candidate {
        const std::vector<Expr> at = window_coordinates(windows, to_exprs(v), window_taps(windows));
        Expr inside;
        const auto require = [&](const Expr &condition) {
            inside = inside.defined() ? inside && condition : condition;
        };
        for (size_t i = 0; i < windows.size(); i++) {
            const Margin margin = windows[i].margin();
            if (margin.before != 0) {
                require(at[i + 2] >= 0);
            }
            if (margin.after != 0) {
                require(at[i + 2] < static_cast<int>(windows[i].input));
            }
        }
        return {x(at), flatten(windows, at), inside};
    };
    int64_t image = 1;
    for (const WindowAxis &axis : windows) {
        image *= axis.input;
    }
    const Expr position =
        position_of_extreme(context, v, tap, static_cast<int>(image), Extreme::Largest, false);

    const bool column_major = context.node().integer("storage_order", 0) == 1;
    const Expr in_image = column_major ? to_column_major(windows, position) : position;
    const std::vector<int64_t> shape = context.input_shape(0);
    const auto wide = [](const Expr &e) { return Halide::cast(Halide::Int(64), e); };
    const auto number = [](int64_t n) { return Halide::Internal::make_const(Halide::Int(64), n); };
    return (wide(v[0]) * number(shape[1]) + wide(v[1])) * number(image) + wide(in_image);
}

Func build_max_pool(OperatorContext &context) {
    const std::vector<WindowAxis> windows = pool_windows(context);
    const Access x = windowed_operand(context, windows, -std::numeric_limits<double>::infinity());
    const std::vector<Halide::Var> v = axes(context.input(0).rank());

    const auto largest = [&] {
        return max_over(context, "max", v,
                        x(window_coordinates(windows, to_exprs(v), window_taps(windows))))(v);
    };
    const Expr value = context.result_index() == kMaxPoolIndices
                           ? index_of_largest(context, windows, x, v)
                           : Expr(largest());
    Func result = context.func("");
    result(v) = value;
    return result;
}

// Positions are counted in the operand without padding.
bool makes_values(const OperatorContext &context) {
    return context.result_index() != kMaxPoolIndices;
}

}  // namespace

const Operator &onnx_max_pool() {
    static const Operator max_pool = {
        .type = "MaxPool",
        .check = check_max_pool,
        .implementations = {{.name = "direct", .build = build_max_pool},
                            only_where(planar_windows(pool_windows, build_max_pool), makes_values),
                            only_where(padded_planes(pool_windows, Outside::Lowest), makes_values)},
    };
    return max_pool;
}

}  // namespace emulsion
