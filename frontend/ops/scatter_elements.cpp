// ScatterElements: the operand with updates(..., i, ...) written at (..., I(..., i, ...), ...), where
// the index stands on axis `axis`.
#include <fmt/format.h>

#include "frontend/ops/support/checks.h"
#include "frontend/ops/support/indices.h"
#include "frontend/ops/support/scatter.h"

namespace emulsion {

using Halide::Expr;
using Halide::Func;

namespace {

constexpr int kScatterElementsIndices = 1;
constexpr int kScatterElementsUpdates = 2;

size_t scatter_axis(const OperatorContext &context) {
    return static_cast<size_t>(normalize_axis(context, context.node().integer("axis", 0),
                                              context.input(0).rank(), "attribute axis"));
}

void check_scatter_elements(const OperatorContext &context) {
    require_type(context, kScatterElementsIndices, kIndexTypes);
    require_type_of_first(context, {kScatterElementsUpdates});
    check_scatter_reduction(context);
    const size_t axis = scatter_axis(context);
    require_rank(context, kScatterElementsIndices, context.input(0).rank());
    require_rank(context, kScatterElementsUpdates, context.input(0).rank());
    const std::vector<int64_t> x = context.input_shape(0);
    const std::vector<int64_t> indices = context.input_shape(kScatterElementsIndices);
    require_shape(context, kScatterElementsUpdates, indices, "there is one update per index");
    for (size_t i = 0; i < x.size(); i++) {
        if (i != axis && indices[i] > x[i]) {
            refuse(context, fmt::format("{} has shape {}: along axis {} the tensor of shape {} is "
                                        "shorter",
                                        describe_input(context, kScatterElementsIndices),
                                        to_string(indices), i, to_string(x)));
        }
    }
    require_output(context, x);
}

Func build_scatter_elements(OperatorContext &context) {
    const Access indices = context.operand(kScatterElementsIndices);
    const size_t axis = scatter_axis(context);
    const int64_t extent = context.input_shape(0)[axis];
    return build_scatter(context, [&](const std::vector<Expr> &update) {
        std::vector<Expr> at = update;
        at[axis] = index_coordinate(indices(update), extent);
        return at;
    });
}

}  // namespace

const Operator &onnx_scatter_elements() {
    static const Operator scatter_elements = {
        .type = "ScatterElements",
        .check = check_scatter_elements,
        .implementations = {{.name = "direct", .build = build_scatter_elements}},
    };
    return scatter_elements;
}

}  // namespace emulsion
