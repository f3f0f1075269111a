// Unsqueeze: axes of extent 1 inserted, so that they are those of the result that compile-time operand
// 1 lists.
#include <algorithm>

#include "frontend/ops/support/checks.h"
#include "frontend/ops/support/coordinates.h"
#include "frontend/ops/support/lists.h"

namespace emulsion {

namespace {

constexpr int kUnsqueezeAxes = 1;

void check_unsqueeze(const OperatorContext &context) {
    const std::vector<int64_t> x = context.input_shape(0);
    const auto list = operand_or_attribute(context, kUnsqueezeAxes, "axes");
    if (!list) {
        refuse(context, "operand axes is missing");
    }
    const size_t rank = x.size() + list->size();
    const std::vector<int> added =
        distinct_axes(context, *list, static_cast<int>(rank), "operand axes");
    std::vector<int64_t> shape;
    auto next = x.begin();
    for (int i = 0; i < static_cast<int>(rank); i++) {
        const bool listed = std::find(added.begin(), added.end(), i) != added.end();
        shape.push_back(listed ? 1 : *next++);
    }
    check_reshape(context, shape);
}

}  // namespace

const Operator &onnx_unsqueeze() {
    static const Operator unsqueeze = {
        .type = "Unsqueeze",
        .check = check_unsqueeze,
        .implementations = {{.name = "direct", .build = build_reshape}},
        .compile_time_input = [](int index) { return index == kUnsqueezeAxes; },
    };
    return unsqueeze;
}

}  // namespace emulsion
