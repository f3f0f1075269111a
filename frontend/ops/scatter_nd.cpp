// ScatterND: the operand with updates(i..., s...) written at (I(i..., 0), ..., I(i..., k-1), s...): the
// last axis of the indices holds coordinates of the operand's first axes.
#include <fmt/format.h>

#include "frontend/ops/support/checks.h"
#include "frontend/ops/support/indices.h"
#include "frontend/ops/support/scatter.h"

namespace emulsion {

using Halide::Expr;
using Halide::Func;

namespace {

constexpr int kScatterNdIndices = 1;
constexpr int kScatterNdUpdates = 2;

void check_scatter_nd(const OperatorContext &context) {
    require_type(context, kScatterNdIndices, {DataType::I64});
    require_type_of_first(context, {kScatterNdUpdates});
    check_scatter_reduction(context);
    const std::vector<int64_t> x = context.input_shape(0);
    const std::vector<int64_t> indices = context.input_shape(kScatterNdIndices);
    const auto rank = static_cast<int64_t>(x.size());
    if (indices.empty() || indices.back() < 1 || indices.back() > rank) {
        refuse(context,
               fmt::format("{} has shape {}: its last extent must be in [1, {}]",
                           describe_input(context, kScatterNdIndices), to_string(indices), rank));
    }
    std::vector<int64_t> updates(indices.begin(), indices.end() - 1);
    updates.insert(updates.end(), x.begin() + indices.back(), x.end());
    require_shape(context, kScatterNdUpdates, updates, "there is one update per index");
    require_output(context, x);
}

Func build_scatter_nd(OperatorContext &context) {
    const Access indices = context.operand(kScatterNdIndices);
    const std::vector<int64_t> x = context.input_shape(0);
    const std::vector<int64_t> index_shape = context.input_shape(kScatterNdIndices);
    const auto outer = static_cast<ptrdiff_t>(index_shape.size()) - 1;
    return build_scatter(context, [&](const std::vector<Expr> &update) {
        std::vector<Expr> at;
        for (size_t k = 0; k < static_cast<size_t>(index_shape.back()); k++) {
            std::vector<Expr> where(update.begin(), update.begin() + outer);
            where.emplace_back(static_cast<int>(k));
            at.push_back(index_coordinate(indices(where), x[k]));
        }
        at.insert(at.end(), update.begin() + outer, update.end());
        return at;
    });
}

}  // namespace

const Operator &onnx_scatter_nd() {
    static const Operator scatter_nd = {
        .type = "ScatterND",
        .check = check_scatter_nd,
        .implementations = {{.name = "direct", .build = build_scatter_nd}},
    };
    return scatter_nd;
}

}  // namespace emulsion
