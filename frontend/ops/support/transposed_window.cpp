#include "frontend/ops/support/transposed_window.h"

#include <algorithm>
#include <limits>

#include <fmt/format.h>

#include "frontend/ops/support/checks.h"
#include "frontend/ops/support/window.h"

namespace emulsion {

using Halide::Expr;

namespace {

// Halide's coordinates are 32-bit.
constexpr int64_t kMaxTransposedCoordinate = std::numeric_limits<int32_t>::max();

Expr plus(const Expr &e, int64_t number) { return number == 0 ? e : e + static_cast<int>(number); }

Expr times(const Expr &e, int64_t number) { return number == 1 ? e : e * static_cast<int>(number); }

int64_t floor_div(int64_t a, int64_t b) { return a >= 0 ? a / b : -((b - 1 - a) / b); }

// `total` elements that are cut off, split in two: the odd one is cut before, with SAME_UPPER behind.
int64_t cut_before(int64_t total, AutoPad mode) {
    return mode == AutoPad::SameUpper ? total / 2 : total - total / 2;
}

// Extent and padding of one axis. `full` is the extent without padding.
void resolve_output(TransposedAxis &axis, int64_t full, int64_t pad_after, AutoPad mode,
                    int64_t wanted) {
    const bool same = mode == AutoPad::SameUpper || mode == AutoPad::SameLower;
    if (wanted > 0 || same) {
        axis.output = wanted > 0 ? wanted : axis.input * axis.stride;
        axis.pad_before = cut_before(std::max<int64_t>(0, full - axis.output), mode);
    } else {
        axis.output = full - axis.pad_before - pad_after;
    }
}

}  // namespace

int64_t TransposedAxis::steps() const {
    return dilation == 1 ? (kernel + stride - 1) / stride : kernel;
}

Expr TransposedAxis::position(const Expr &o, const Expr &j) const {
    const Expr t = plus(o, pad_before);
    if (stride == 1) {
        return t - times(j, dilation);
    }
    if (dilation == 1) {
        return t / static_cast<int>(stride) - j;
    }
    return (t - times(j, dilation)) / static_cast<int>(stride);
}

Expr TransposedAxis::tap(const Expr &o, const Expr &j) const {
    if (stride == 1 || dilation != 1) {
        return j;
    }
    const Expr k = plus(o, pad_before) % static_cast<int>(stride) + times(j, stride);
    return kernel % stride == 0 ? k : Halide::min(k, static_cast<int>(kernel - 1));
}

Expr TransposedAxis::counts(const Expr &o, const Expr &j) const {
    if (stride == 1) {
        return {};
    }
    const Expr t = plus(o, pad_before);
    if (dilation != 1) {
        return (t - times(j, dilation)) % static_cast<int>(stride) == 0;
    }
    if (kernel % stride == 0) {
        return {};
    }
    return t % static_cast<int>(stride) + times(j, stride) < static_cast<int>(kernel);
}

Margin TransposedAxis::margin() const {
    const int64_t first = dilation == 1 ? floor_div(pad_before, stride) - (steps() - 1)
                                        : floor_div(pad_before - (kernel - 1) * dilation, stride);
    const int64_t last = floor_div(output - 1 + pad_before, stride);
    return {std::max<int64_t>(0, -first), std::max<int64_t>(0, last - (input - 1))};
}

std::vector<TransposedAxis> transposed_axes(const OperatorContext &context,
                                            const std::vector<int64_t> &kernel) {
    const std::vector<int64_t> shape = context.input_shape(0);
    const size_t count = kernel.size();
    const std::vector<int64_t> ones(count, 1);
    const std::vector<int64_t> zeros(count, 0);
    const std::vector<int64_t> strides = window_attribute(context, "strides", ones, 1);
    const std::vector<int64_t> dilations = window_attribute(context, "dilations", ones, 1);
    const std::vector<int64_t> extra = window_attribute(context, "output_padding", zeros, 0);
    const std::vector<int64_t> pads = window_pads(context, count);
    const bool has_shape = !context.node().integers("output_shape", {}).empty();
    const std::vector<int64_t> wanted =
        has_shape ? window_attribute(context, "output_shape", ones, 1) : zeros;
    const AutoPad mode = auto_pad(context);
    std::vector<TransposedAxis> result;
    for (size_t i = 0; i < count; i++) {
        TransposedAxis axis = {.input = shape[i + 2],
                               .kernel = kernel[i],
                               .stride = strides[i],
                               .dilation = dilations[i],
                               .pad_before = pads[i]};
        // All factors are below 2^31: sums of two such products fit 64 bits.
        const int64_t reach = (axis.kernel - 1) * axis.dilation;
        const int64_t spread = (axis.input - 1) * axis.stride;
        if (reach > kMaxTransposedCoordinate || spread > kMaxTransposedCoordinate) {
            refuse(context, fmt::format("attribute strides or dilations: axis {} reaches over more "
                                        "than 2^31-1 elements",
                                        i + 2));
        }
        resolve_output(axis, spread + reach + 1 + extra[i], pads[i + count], mode, wanted[i]);
        if (axis.output < 1) {
            refuse(context, fmt::format("attribute pads takes all {} elements of axis {} away",
                                        spread + reach + 1 + extra[i], i + 2));
        }
        const Margin margin = axis.margin();
        if (axis.output + axis.pad_before > kMaxTransposedCoordinate ||
            margin.before + axis.input + margin.after > kMaxTransposedCoordinate) {
            refuse(context, fmt::format("axis {} of the result reaches over more than 2^31-1 "
                                        "elements",
                                        i + 2));
        }
        result.push_back(axis);
    }
    return result;
}

}  // namespace emulsion
