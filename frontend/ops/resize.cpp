// Resize: every element of the result is an element of the operand (mode nearest), or a weighted sum
// of its neighbours there (linear, cubic), separately along each axis. scales or sizes, and roi, are
// compile-time operands; see support/resize.h for the mapping of coordinates.
#include <algorithm>
#include <fmt/format.h>

#include "frontend/ops/support/checks.h"
#include "frontend/ops/support/reduction.h"
#include "frontend/ops/support/resize.h"
#include "frontend/ops/support/tables.h"

namespace emulsion {

using Halide::Expr;
using Halide::Func;

namespace {

// Sums of up to so many elements are written as one expression: cubic interpolation of images.
constexpr int64_t kLargestExpression = 16;

void check_resize(const OperatorContext &context) {
    check_resize_modes(context);
    if (context.node().text("mode", "nearest") != "nearest") {
        require_type(context, 0, kFloatTypes);
    }
    std::vector<int64_t> shape = context.input_shape(0);
    for (const ResizedAxis &axis : resized_axes(context)) {
        resize_taps(context, axis);
        shape[static_cast<size_t>(axis.axis)] = axis.output;
    }
    require_output(context, shape);
}

// The pieces of the sum along one axis, at coordinate `x` of the result.
class TapAccess {
public:
    TapAccess(const ResizedAxis &axis, ResizeTaps taps, Expr x, Halide::Type type,
              const std::string &name)
        : input_(axis.input), output_(axis.output), taps_(std::move(taps)), x_(std::move(x)) {
        const std::string prefix = name + "_axis" + std::to_string(axis.axis);
        first_ = integer_table(taps_.first, x_, prefix + "_first");
        if (taps_.taps > 1) {
            weights_ = real_table(taps_.weights, taps_.taps, type, prefix + "_weights");
        }
    }

    int64_t count() const { return taps_.taps; }

    Expr coordinate(const Expr &tap) const {
        const auto [lowest, highest] = std::minmax_element(taps_.first.begin(), taps_.first.end());
        const bool inside = *lowest >= 0 && *highest + taps_.taps <= input_;
        const Expr at = count() == 1 ? first_ : first_ + tap;
        return inside ? at : Halide::clamp(at, 0, static_cast<int>(input_) - 1);
    }

    Expr weight(const Expr &tap) const { return weights_(x_, tap); }

    Expr inside() const {
        Expr result = Halide::Internal::const_true();
        if (taps_.inside_begin > 0) {
            result = result && x_ >= static_cast<int>(taps_.inside_begin);
        }
        if (taps_.inside_end < output_) {
            result = result && x_ < static_cast<int>(taps_.inside_end);
        }
        return result;
    }

private:
    int64_t input_;
    int64_t output_;
    ResizeTaps taps_;
    Expr x_;
    Expr first_;
    Table weights_;  // of several taps
};

// The sum over all taps of `taps[axis]` and the axes behind it, written out.
Expr written_sum(const Access &x, const std::vector<ResizedAxis> &resized,
                 const std::vector<TapAccess> &taps, size_t axis, std::vector<Expr> at) {
    if (axis == taps.size()) {
        return x(at);
    }
    const TapAccess &own = taps[axis];
    Expr sum;
    for (int64_t k = 0; k < own.count(); k++) {
        const Expr tap = static_cast<int>(k);
        at[static_cast<size_t>(resized[axis].axis)] = own.coordinate(tap);
        Expr term = written_sum(x, resized, taps, axis + 1, at);
        term = own.count() == 1 ? term : term * own.weight(tap);
        sum = sum.defined() ? sum + term : term;
    }
    return sum;
}

// The same sum as a reduction.
Expr reduced_sum(OperatorContext &context, const Access &x, const std::vector<ResizedAxis> &resized,
                 const std::vector<TapAccess> &taps, const std::vector<Halide::Var> &v) {
    std::vector<int64_t> extents;
    for (const TapAccess &own : taps) {
        extents.push_back(own.count());
    }
    const std::vector<Expr> r = reduction_axes(extents);
    std::vector<Expr> at = to_exprs(v);
    Expr weight;
    for (size_t i = 0; i < taps.size(); i++) {
        at[static_cast<size_t>(resized[i].axis)] = taps[i].coordinate(r[i]);
        const Expr own = taps[i].weight(r[i]);
        weight = weight.defined() ? weight * own : own;
    }
    Func sum = context.func("sum");
    sum(v) = Halide::Internal::make_zero(halide_type(context.input(0).type));
    sum(v) += weight * x(at);
    return sum(v);
}

Func build_resize(OperatorContext &context) {
    const Access x = context.operand(0);
    const Halide::Type type = halide_type(context.input(0).type);
    const std::vector<ResizedAxis> resized = resized_axes(context);
    const std::vector<Halide::Var> v = axes(context.input(0).rank());
    Func result = context.func("");
    std::vector<TapAccess> taps;
    int64_t count = 1;
    Expr inside = Halide::Internal::const_true();
    for (const ResizedAxis &axis : resized) {
        const Expr at = v[static_cast<size_t>(axis.axis)];
        taps.emplace_back(axis, resize_taps(context, axis), at, type, result.name());
        count = std::min(count * taps.back().count(), kLargestExpression + 1);
        inside = inside && taps.back().inside();
    }
    const Expr value = count <= kLargestExpression ? written_sum(x, resized, taps, 0, to_exprs(v))
                                                   : reduced_sum(context, x, resized, taps, v);
    const Expr beyond =
        Halide::Internal::make_const(type, context.node().real("extrapolation_value", 0.0));
    result(v) = Halide::Internal::is_const_one(Halide::Internal::simplify(inside))
                    ? value
                    : Halide::select(inside, value, beyond);
    return result;
}

}  // namespace

const Operator &onnx_resize() {
    static const Operator resize = {
        .type = "Resize",
        .check = check_resize,
        .implementations = {{.name = "direct", .build = build_resize}, separated_axes()},
        .compile_time_input = [](int index) { return index >= 1; },
    };
    return resize;
}

}  // namespace emulsion
