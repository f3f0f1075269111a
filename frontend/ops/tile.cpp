// Tile: the operand repeated along each axis as often as compile-time operand 1 says.
#include <algorithm>
#include <fmt/format.h>

#include "frontend/ops/support/checks.h"
#include "frontend/ops/support/lists.h"

namespace emulsion {

using Halide::Expr;
using Halide::Func;

namespace {

constexpr int kRepeats = 1;

void check_tile(const OperatorContext &context) {
    std::vector<int64_t> shape = context.input_shape(0);
    const std::vector<int64_t> repeats = constant_integers(context, kRepeats);
    require_length(context, repeats, shape.size(), "operand repeats");
    for (size_t i = 0; i < shape.size(); i++) {
        if (repeats[i] < 1) {
            refuse(context, fmt::format("operand repeats is {}; every axis has to be there at "
                                        "least once",
                                        to_string(repeats)));
        }
        shape[i] = count_elements(context, {shape[i], repeats[i]});
    }
    require_output(context, shape);
}

Func build_tile(OperatorContext &context) {
    const Access x = context.operand(0);
    const std::vector<int64_t> from = context.input_shape(0);
    const std::vector<int64_t> to = context.result_shape();
    const std::vector<Halide::Var> v = axes(static_cast<int>(to.size()));
    std::vector<Expr> at;
    for (size_t i = 0; i < v.size(); i++) {
        if (from[i] == to[i]) {
            at.emplace_back(v[i]);
        } else {
            at.push_back(from[i] == 1 ? Expr(0) : v[i] % static_cast<int>(from[i]));
        }
    }
    Func tile = context.func("");
    tile(v) = x(at);
    return tile;
}

}  // namespace

const Operator &onnx_tile() {
    static const Operator tile = {
        .type = "Tile",
        .check = check_tile,
        .implementations = {{.name = "direct", .build = build_tile}},
        .compile_time_input = [](int index) { return index == kRepeats; },
    };
    return tile;
}

}  // namespace emulsion
