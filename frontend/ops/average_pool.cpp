// AveragePool: the mean of each window. Padding counts as zeros with count_include_pad and not at all
// without; elements beyond the padding, which ceil_mode may reach, never count.
#include <algorithm>

#include "frontend/ops/support/checks.h"
#include "frontend/ops/support/padded_planes.h"
#include "frontend/ops/support/reduction.h"
#include "frontend/ops/support/window.h"

namespace emulsion {

using Halide::Expr;
using Halide::Func;

namespace {

void check_average_pool(const OperatorContext &context) {
    require_type(context, 0, kFloatTypes);
    const std::vector<WindowAxis> windows = pool_windows(context);
    const std::vector<int64_t> x = context.input_shape(0);
    require_output(context, window_output_shape(x[0], x[1], windows));
}

// The mean of a window at `at` whose elements sum up to `sum`.
Expr mean_of(const Expr &sum, const std::vector<WindowAxis> &windows, const std::vector<Expr> &at,
             bool include_pad) {
    // Elements that count: a number where all windows have as many, else an expression.
    double same = 1.0;
    Expr varying = 1;
    for (size_t i = 0; i < windows.size(); i++) {
        const WindowAxis &axis = windows[i];
        const Expr count = include_pad
                               ? axis.taps_within(at[i + 2], axis.pad_before, axis.pad_after)
                               : axis.taps_within(at[i + 2], 0, 0);
        if (const auto constant = Halide::Internal::as_const_int(count)) {
            same *= static_cast<double>(*constant);
        } else {
            varying = varying * count;
        }
    }
    const Halide::Type type = sum.type();
    if (Halide::Internal::is_const_one(varying)) {
        return sum * Halide::Internal::make_const(type, 1.0 / same);
    }
    // A window of padding alone has no mean; 0, as ONNX Runtime gives.
    const Expr count = Halide::cast(type, Halide::max(varying, 1));
    return sum / (same == 1.0 ? count : count * Halide::Internal::make_const(type, same));
}

// A factor for each window is a constant: as many as a large image has pixels.
constexpr int64_t kMostFactors = int64_t{1} << 20;

// How many elements count in each of the windows along `axis`.
std::vector<double> counted(const WindowAxis &axis, bool include_pad) {
    std::vector<double> counts;
    for (int64_t window = 0; window < axis.output; window++) {
        const Expr at = Halide::Internal::make_const(Halide::Int(32), window);
        const Expr count = include_pad ? axis.taps_within(at, axis.pad_before, axis.pad_after)
                                       : axis.taps_within(at, 0, 0);
        counts.push_back(static_cast<double>(
            Halide::Internal::as_const_int(Halide::Internal::simplify(count)).value()));
    }
    return counts;
}

// As padded_planes: the means of all elements, and then of those that count.
Implementation padded_average_pool() {
    Implementation padded =
        only_where(padded_planes(pool_windows, Outside::Zero), [](const OperatorContext &context) {
            const std::vector<int64_t> y = context.result_shape();
            return y.size() == 4 && y[2] <= kMostFactors / y[3];
        });
    padded.expand = [](const OperatorContext &context, SubgraphBuilder &builder) {
        const std::vector<WindowAxis> windows = pool_windows(context);
        const bool include_pad = context.node().integer("count_include_pad", 0) != 0;
        const std::vector<double> rows = counted(windows[0], include_pad),
                                  columns = counted(windows[1], include_pad);
        const auto taps = static_cast<double>(windows[0].kernel * windows[1].kernel);
        std::vector<double> factors;
        for (const double row : rows) {
            for (const double column : columns) {
                factors.push_back(taps / std::max(row * column, 1.0));
            }
        }
        const Node mean = without_padding(
            builder, add_padded_planes(context.input_shape(0), windows, Outside::Zero, builder));
        if (std::all_of(factors.begin(), factors.end(), [](double f) { return f == 1.0; })) {
            builder.result("windows", mean);
            return;
        }
        Node corrected;
        corrected.operator_type = "Mul";
        corrected.inputs = {
            builder.add("windows", mean, context.result_shape()),
            builder.reals({windows[0].output, windows[1].output}, factors, context.input(0).type)};
        builder.result("mean", corrected);
    };
    return padded;
}

Func build_average_pool(OperatorContext &context) {
    const std::vector<WindowAxis> windows = pool_windows(context);
    const Access x = windowed_operand(context, windows, 0.0);
    const bool include_pad = context.node().integer("count_include_pad", 0) != 0;
    const std::vector<Halide::Var> v = axes(context.input(0).rank());
    const std::vector<Expr> at = to_exprs(v);

    Func sum =
        sum_over(context, "sum", v, x(window_coordinates(windows, at, window_taps(windows))));
    Func result = context.func("");
    result(v) = mean_of(sum(v), windows, at, include_pad);
    return result;
}

}  // namespace

const Operator &onnx_average_pool() {
    static const Operator average_pool = {
        .type = "AveragePool",
        .check = check_average_pool,
        .implementations = {{.name = "direct", .build = build_average_pool},
                            planar_windows(pool_windows, build_average_pool),
                            padded_average_pool()},
    };
    return average_pool;
}

}  // namespace emulsion
