// Split: result i is the i-th part of the operand along `axis`. Parts have the extents that
// compile-time operand `split` lists; without it, num_outputs equal ones, the last perhaps smaller.
#include <fmt/format.h>
#include <numeric>

#include "frontend/ops/support/checks.h"
#include "frontend/ops/support/lists.h"

namespace emulsion {

using Halide::Expr;
using Halide::Func;

namespace {

constexpr int kSplit = 1;

int split_axis(const OperatorContext &context) {
    return normalize_axis(context, context.node().integer("axis", 0), context.input(0).rank(),
                          "attribute axis");
}

int64_t split_extent(const OperatorContext &context) {
    return context.input_shape(0)[static_cast<size_t>(split_axis(context))];
}

// The part that this node makes, along the axis.
struct Part {
    int64_t start = 0;
    int64_t extent = 0;
};

Part listed_part(const OperatorContext &context, const std::vector<int64_t> &parts) {
    const auto index = static_cast<size_t>(context.result_index());
    const int64_t extent = split_extent(context);
    int64_t total = 0;
    for (const int64_t part : parts) {
        if (part < 0 || part > extent - total) {
            refuse(context,
                   fmt::format("operand split is {}; its elements have to be extents that add up "
                               "to {}",
                               to_string(parts), extent));
        }
        total += part;
    }
    if (total != extent || index >= parts.size()) {
        refuse(context, fmt::format("operand split is {}; {} results whose extents add up to {} "
                                    "are needed",
                                    to_string(parts), context.node().outputs.size(), extent));
    }
    const auto own = parts.begin() + static_cast<ptrdiff_t>(index);
    return {std::accumulate(parts.begin(), own, int64_t{0}), *own};
}

Part split_part(const OperatorContext &context) {
    const auto parts = operand_or_attribute(context, kSplit, "split");
    if (parts) {
        return listed_part(context, *parts);
    }
    // Before opset 18 the number of results said it.
    const auto results = static_cast<int64_t>(context.node().outputs.size());
    const int64_t count = context.node().integer("num_outputs", results);
    const int64_t extent = split_extent(context);
    if (count < results || count < 1) {
        refuse(context,
               fmt::format("attribute num_outputs is {}; there are {} results", count, results));
    }
    const int64_t size = extent / count + (extent % count == 0 ? 0 : 1);
    const int64_t start = size * context.result_index();
    return {start, std::min(size, extent - start)};
}

void check_split(const OperatorContext &context) {
    std::vector<int64_t> shape = context.input_shape(0);
    const Part part = split_part(context);
    if (part.extent < 1) {
        refuse(context, fmt::format("result {} has no elements; parts of extent 1 and more are "
                                    "supported",
                                    context.result_index()));
    }
    shape[static_cast<size_t>(split_axis(context))] = part.extent;
    require_output(context, shape);
}

Func build_split(OperatorContext &context) {
    const Access x = context.operand(0);
    const std::vector<Halide::Var> v = axes(context.input(0).rank());
    const auto axis = static_cast<size_t>(split_axis(context));
    std::vector<Expr> at = to_exprs(v);
    if (const auto start = static_cast<int>(split_part(context).start); start != 0) {
        at[axis] = v[axis] + start;
    }
    Func result = context.func("");
    result(v) = x(at);
    return result;
}

}  // namespace

const Operator &onnx_split() {
    static const Operator split = {
        .type = "Split",
        .check = check_split,
        .implementations = {{.name = "direct", .build = build_split}},
        .compile_time_input = [](int index) { return index == kSplit; },
    };
    return split;
}

}  // namespace emulsion
