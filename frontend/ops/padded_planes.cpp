// Images with a value around each of their planes (support/padded_planes.h): of X, which is one row of all elements, the
// result of shape `shape` plus `pads` is
//
//     Y(n, c, h, w) = X(((n C + c) H + h - pads[0]) W + w - pads[2])     inside of the plane
//
// and outside of it 0, or with attribute `lowest` what is never the largest of a window, for two spatial axes, and likewise
// for others. Elements beside a row are those of its neighbours, so that rows are copied in whole vectors, of which lanes
// are selected: only before the first and behind the last row of all there is nothing.
//
// With attribute `phases` = s columns lie by their phase, Y(n, c, h, p, w) is what Y(n, c, h, s w + p) is above: windows
// that lie s columns apart then read columns beside each other.
#include <limits>

#include "frontend/ops/support/checks.h"
#include "frontend/ops/support/padded_planes.h"

namespace emulsion {

using Halide::Expr;
using Halide::Func;

namespace {

// Batch and channels, and between them perhaps groups, come before the axes that are padded.
constexpr size_t kFewestOuterAxes = 2;

int64_t phases_of(const OperatorContext &context) {
    const int64_t phases = context.node().integer("phases", 1);
    if (phases < 1 || phases > std::numeric_limits<int32_t>::max()) {
        refuse(context, "its phases are none");
    }
    return phases;
}

void check_padded_planes(const OperatorContext &context) {
    require_type(context, 0, kFloatTypes);
    require_rank(context, 0, 1);
    std::vector<int64_t> shape = context.node().integers("shape", {});
    const std::vector<int64_t> pads = context.node().integers("pads", {});
    if (pads.empty() || pads.size() % 2 != 0 || shape.size() < kFewestOuterAxes + pads.size() / 2 ||
        count_elements(context, shape) != context.input_shape(0)[0] ||
        context.input_shape(0)[0] > std::numeric_limits<int32_t>::max()) {
        refuse(context, "its shape and pads don't fit the operand");
    }
    for (size_t i = 0; i < pads.size(); i++) {
        if (pads[i] < 0 || pads[i] > std::numeric_limits<int32_t>::max()) {
            refuse(context, "its pads are negative or too large");
        }
        shape[shape.size() - pads.size() / 2 + i / 2] += pads[i];
    }
    if (const int64_t phases = phases_of(context); phases > 1) {
        if (shape.back() % phases != 0) {
            refuse(context, "its columns are no multiple of its phases");
        }
        shape.back() /= phases;
        shape.insert(shape.end() - 1, phases);
    }
    require_output(context, shape);
}

Func build_padded_planes(OperatorContext &context) {
    const Access x = context.operand(0);
    const std::vector<int64_t> shape = context.node().integers("shape", {});
    const std::vector<int64_t> pads = context.node().integers("pads", {});
    const auto phases = static_cast<int>(phases_of(context));
    const std::vector<Halide::Var> v = axes(static_cast<int>(shape.size()) + (phases > 1 ? 1 : 0));
    const size_t first = shape.size() - pads.size() / 2;  // padded axis
    std::vector<Expr> padded_at(v.begin(), v.begin() + static_cast<ptrdiff_t>(shape.size()));
    if (phases > 1) {
        padded_at.back() = v.back() * phases + v[v.size() - 2];
    }
    Expr at = v[0];
    Expr inside = Halide::Internal::const_true();
    for (size_t axis = 1; axis < shape.size(); axis++) {
        const auto extent = static_cast<int>(shape[axis]);
        Expr coordinate = padded_at[axis];
        if (axis >= first) {
            const int64_t before = pads[2 * (axis - first)], after = pads[2 * (axis - first) + 1];
            coordinate -= static_cast<int>(before);
            if (axis + 1 == shape.size()) {
                inside = before > 0 ? inside && coordinate >= 0 : inside;
                inside = after > 0 ? inside && coordinate < extent : inside;
            } else if (before > 0 || after > 0) {
                // Unsigned: Halide makes one comparison of several with the same number, min(row, column) >= 0, and then
                // has another loop for vectors of which it doesn't know which one is less.
                inside =
                    inside && Halide::cast<uint32_t>(coordinate) < Halide::cast<uint32_t>(extent);
            }
            if (axis + 1 < shape.size()) {
                coordinate = Halide::clamp(coordinate, 0, extent - 1);
            }
        }
        at = at * extent + coordinate;
    }
    const auto last = static_cast<int>(context.input_shape(0)[0]) - 1;
    const Halide::Type type = halide_type(context.input(0).type);
    const Expr value = context.node().integer("lowest", 0) != 0
                           ? type.min()
                           : Halide::Internal::make_const(type, 0.0);
    Func padded = context.func("");
    const Expr element = x({Halide::clamp(Halide::likely(at), 0, last)});
    padded(v) = Halide::select(inside, element, value);
    return padded;
}

}  // namespace

const Operator &onnx_padded_planes() {
    static const Operator padded_planes = {
        .type = "PaddedPlanes",
        .domain = kOwnDomain,
        .check = check_padded_planes,
        .implementations = {{.name = "direct", .build = build_padded_planes}},
    };
    return padded_planes;
}

}  // namespace emulsion
