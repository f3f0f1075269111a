// GatherND: Y(b..., i..., s...) = X(b..., I(b..., i..., 0), ..., I(b..., i..., k-1), s...): the last
// axis of the indices holds coordinates of the operand's first axes behind the batch_dims b.
#include <fmt/format.h>

#include "frontend/ops/support/checks.h"
#include "frontend/ops/support/indices.h"

namespace emulsion {

using Halide::Expr;
using Halide::Func;

namespace {

int64_t batch_axes(const OperatorContext &context) {
    return context.node().integer("batch_dims", 0);
}

void check_gather_nd(const OperatorContext &context) {
    require_type(context, 1, {DataType::I64});
    const std::vector<int64_t> x = context.input_shape(0);
    const std::vector<int64_t> indices = context.input_shape(1);
    const int64_t batch = batch_axes(context);
    const auto shorter = static_cast<int64_t>(std::min(x.size(), indices.size()));
    if (batch < 0 || batch >= shorter) {
        refuse(context,
               fmt::format("attribute batch_dims is {}; it must be in [0, {})", batch, shorter));
    }
    const auto rank = static_cast<int64_t>(x.size());
    const int64_t coordinates = indices.back();
    if (coordinates < 1 || coordinates > rank - batch) {
        refuse(context, fmt::format("{} has shape {}: its last extent must be in [1, {}]",
                                    describe_input(context, 1), to_string(indices), rank - batch));
    }
    for (size_t i = 0; i < static_cast<size_t>(batch); i++) {
        if (x[i] != indices[i]) {
            refuse(context, fmt::format("shapes {} and {} differ in their first {} (batch_dims) "
                                        "axes",
                                        to_string(x), to_string(indices), batch));
        }
    }
    std::vector<int64_t> shape(indices.begin(), indices.end() - 1);
    shape.insert(shape.end(), x.begin() + static_cast<ptrdiff_t>(batch + coordinates), x.end());
    require_output(context, shape);
}

Func build_gather_nd(OperatorContext &context) {
    const Access x = context.operand(0);
    const Access indices = context.operand(1);
    const std::vector<int64_t> shape = context.input_shape(0);
    const auto batch = static_cast<size_t>(batch_axes(context));
    const auto coordinates = static_cast<size_t>(context.input_shape(1).back());
    const size_t index_rank = context.input_shape(1).size() - 1;
    const std::vector<Halide::Var> v = axes(context.result().rank());
    std::vector<Expr> at(v.begin(), v.begin() + static_cast<ptrdiff_t>(batch));
    for (size_t k = 0; k < coordinates; k++) {
        std::vector<Expr> where(v.begin(), v.begin() + static_cast<ptrdiff_t>(index_rank));
        where.emplace_back(static_cast<int>(k));
        at.push_back(index_coordinate(indices(where), shape[batch + k]));
    }
    at.insert(at.end(), v.begin() + static_cast<ptrdiff_t>(index_rank), v.end());
    Func gather = context.func("");
    gather(v) = x(at);
    return gather;
}

}  // namespace

const Operator &onnx_gather_nd() {
    static const Operator gather_nd = {
        .type = "GatherND",
        .check = check_gather_nd,
        .implementations = {{.name = "direct", .build = build_gather_nd}},
    };
    return gather_nd;
}

}  // namespace emulsion
