// Pad: the operand with elements added before and after each axis, or, where pads are negative, taken
// away. With i counted from the operand's first element and n of them, the mode says what is outside:
//
//     constant   a value           edge   X(clamp(i, 0, n-1))
//     wrap       X(i mod n)        reflect   mirrored at the first and the last element
#include <algorithm>
#include <fmt/format.h>

#include "frontend/ops/support/checks.h"
#include "frontend/ops/support/lists.h"

namespace emulsion {

using Halide::Expr;
using Halide::Func;

namespace {

constexpr int kPads = 1;
constexpr int kValue = 2;
constexpr int kPadAxes = 3;

// Along one axis: what remains of the operand, and what is added.
struct PaddedAxis {
    int64_t first = 0;  // of the elements that remain
    int64_t count = 0;
    int64_t before = 0;
    int64_t after = 0;

    int64_t extent() const { return before + count + after; }
    bool grows() const { return before > 0 || after > 0; }
};

std::vector<int64_t> required_pads(const OperatorContext &context) {
    auto pads = operand_or_attribute(context, kPads, "pads");
    if (!pads) {
        refuse(context, "operand pads is missing");
    }
    return *pads;
}

std::vector<PaddedAxis> padded_axes(const OperatorContext &context) {
    const std::vector<int64_t> x = context.input_shape(0);
    std::vector<PaddedAxis> result;
    for (const int64_t extent : x) {
        result.push_back({0, extent, 0, 0});
    }
    const int rank = static_cast<int>(x.size());
    std::vector<int> padded = all_axes(rank);
    if (context.has_input(kPadAxes)) {
        padded = distinct_axes(context, constant_integers(context, kPadAxes), rank, "operand axes");
    }
    const std::vector<int64_t> pads = required_pads(context);
    require_length(context, pads, 2 * padded.size(), "operand pads");
    for (size_t i = 0; i < padded.size(); i++) {
        PaddedAxis &axis = result[static_cast<size_t>(padded[i])];
        const int64_t before = pads[i];
        const int64_t after = pads[padded.size() + i];
        constexpr int64_t kLargest = int64_t{1} << 31;
        if (before > kLargest || after > kLargest || before < -axis.count || after < -axis.count ||
            std::min<int64_t>(before, 0) + std::min<int64_t>(after, 0) <= -axis.count) {
            refuse(context, fmt::format("operand pads is {}: an axis of extent {} can't be padded "
                                        "by {} and {}",
                                        to_string(pads), axis.count, before, after));
        }
        axis.first = std::max<int64_t>(0, -before);
        axis.count += std::min<int64_t>(before, 0) + std::min<int64_t>(after, 0);
        axis.before = std::max<int64_t>(0, before);
        axis.after = std::max<int64_t>(0, after);
    }
    return result;
}

std::string pad_mode(const OperatorContext &context) {
    return context.node().text("mode", "constant");
}

void check_pad(const OperatorContext &context) {
    const std::string mode = pad_mode(context);
    if (mode != "constant" && mode != "edge" && mode != "reflect" && mode != "wrap") {
        refuse(context, fmt::format("attribute mode is '{}'; accepted: constant, edge, reflect, "
                                    "wrap",
                                    mode));
    }
    if (context.has_input(kValue)) {
        require_type_of_first(context, {kValue});
        if (count_elements(context, context.input_shape(kValue)) != 1) {
            refuse(context, fmt::format("{} has shape {}; a scalar is needed",
                                        describe_input(context, kValue),
                                        to_string(context.input_shape(kValue))));
        }
    }
    std::vector<int64_t> shape;
    for (const PaddedAxis &axis : padded_axes(context)) {
        shape.push_back(axis.extent());
    }
    require_output(context, shape);
}

// Mirrored at 0 and count-1, as often as it takes.
Expr reflected(const Expr &i, const PaddedAxis &axis) {
    const int last = static_cast<int>(axis.count) - 1;
    if (last == 0) {
        return 0;
    }
    const auto magnitude = [](const Expr &e) { return Halide::cast<int>(Halide::abs(e)); };
    const bool once = axis.before <= last && axis.after <= last;
    return last - magnitude(last - (once ? magnitude(i) : i % (2 * last)));
}

// Coordinate of the operand, inside of it, that is read for coordinate `v` of the result.
Expr source(const Expr &v, const PaddedAxis &axis, const std::string &mode) {
    const int last = static_cast<int>(axis.count) - 1;
    const Expr i = axis.before != 0 ? v - static_cast<int>(axis.before) : v;
    Expr coordinate = i;
    if (axis.grows() && mode == "reflect") {
        coordinate = reflected(i, axis);
    } else if (axis.grows() && mode == "wrap") {
        coordinate = i % static_cast<int>(axis.count);
    }
    if (axis.grows() && mode != "wrap") {
        coordinate = Halide::clamp(Halide::likely(coordinate), 0, last);
    }
    return axis.first != 0 ? coordinate + static_cast<int>(axis.first) : coordinate;
}

Expr pad_value(OperatorContext &context) {
    if (!context.has_input(kValue)) {
        if (context.node().has("value")) {  // before opset 11
            return Halide::Internal::make_const(halide_type(context.input(0).type),
                                                context.node().real("value", 0.0));
        }
        return Halide::Internal::make_zero(halide_type(context.input(0).type));
    }
    const auto rank = static_cast<size_t>(context.input(kValue).rank());
    return context.operand(kValue)(std::vector<Expr>(rank, Expr(0)));
}

Func build_pad(OperatorContext &context) {
    const Access x = context.operand(0);
    const std::vector<PaddedAxis> padded = padded_axes(context);
    const std::string mode = pad_mode(context);
    const std::vector<Halide::Var> v = axes(context.input(0).rank());
    std::vector<Expr> at;
    Expr inside = Halide::Internal::const_true();
    for (size_t i = 0; i < v.size(); i++) {
        const PaddedAxis &axis = padded[i];
        at.push_back(source(v[i], axis, mode));
        if (axis.before > 0) {
            inside = inside && v[i] >= static_cast<int>(axis.before);
        }
        if (axis.after > 0) {
            inside = inside && v[i] < static_cast<int>(axis.before + axis.count);
        }
    }
    Func pad = context.func("");
    // Loops are split where they reach the edges: inside nothing is asked.
    pad(v) = mode == "constant" ? Halide::select(Halide::likely(inside), x(at), pad_value(context))
                                : x(at);
    return pad;
}

}  // namespace

const Operator &onnx_pad() {
    static const Operator pad = {
        .type = "Pad",
        .check = check_pad,
        .implementations = {{.name = "direct", .build = build_pad}},
        .compile_time_input = [](int index) { return index == kPads || index == kPadAxes; },
    };
    return pad;
}

}  // namespace emulsion
