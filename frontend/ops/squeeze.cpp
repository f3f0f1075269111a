// Squeeze: without the axes of extent 1 that compile-time operand 1 lists; without any, if it is
// absent.
#include <algorithm>
#include <fmt/format.h>

#include "frontend/ops/support/checks.h"
#include "frontend/ops/support/coordinates.h"
#include "frontend/ops/support/lists.h"

namespace emulsion {

namespace {

constexpr int kSqueezeAxes = 1;

void check_squeeze(const OperatorContext &context) {
    const std::vector<int64_t> x = context.input_shape(0);
    const auto list = operand_or_attribute(context, kSqueezeAxes, "axes");
    std::vector<int> dropped;
    if (list) {
        dropped = distinct_axes(context, *list, static_cast<int>(x.size()), "operand axes");
    }
    std::vector<int64_t> shape;
    for (size_t i = 0; i < x.size(); i++) {
        const bool listed =
            std::find(dropped.begin(), dropped.end(), static_cast<int>(i)) != dropped.end();
        if (listed && x[i] != 1) {
            refuse(context, fmt::format("operand axes is {}: axis {} has extent {} instead of 1",
                                        to_string(*list), i, x[i]));
        }
        if (!listed && (list || x[i] != 1)) {
            shape.push_back(x[i]);
        }
    }
    check_reshape(context, shape);
}

}  // namespace

const Operator &onnx_squeeze() {
    static const Operator squeeze = {
        .type = "Squeeze",
        .check = check_squeeze,
        .implementations = {{.name = "direct", .build = build_reshape}},
        .compile_time_input = [](int index) { return index == kSqueezeAxes; },
    };
    return squeeze;
}

}  // namespace emulsion
