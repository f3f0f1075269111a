#include <algorithm>

#include "frontend/ops/support/resize.h"

namespace emulsion {

namespace {

// What needs to know of all axes at once stays one node.
bool applies(const OperatorContext &context) {
    const Node &node = context.node();
    if (node.has(kResizedAlong) || node.text("mode", "nearest") == "nearest" ||
        node.text("keep_aspect_ratio_policy", "stretch") != "stretch" ||
        node.text("coordinate_transformation_mode", "half_pixel") == "tf_crop_and_resize") {
        return false;
    }
    return resized_axes(context).size() > 1;
}

void expand(const OperatorContext &context, SubgraphBuilder &builder) {
    std::vector<ResizedAxis> axes = resized_axes(context);
    std::sort(axes.begin(), axes.end(),
              [](const auto &a, const auto &b) { return a.axis > b.axis; });
    std::vector<int64_t> shape = context.input_shape(0);
    TensorId last = builder.input(0);
    for (const ResizedAxis &axis : axes) {
        Node along = builder.node();
        along.inputs[0] = last;
        along.attributes[kResizedAlong] = int64_t{axis.axis};
        shape[static_cast<size_t>(axis.axis)] = axis.output;
        const std::string part = std::string("along_") + static_cast<char>('a' + axis.axis % 26);
        if (axis.axis == axes.back().axis) {
            builder.result(part, along);
        } else {
            last = builder.add(part, along, shape);
        }
    }
}

}  // namespace

Implementation separated_axes() {
    return {.name = "separated_axes", .applies = applies, .build = {}, .expand = expand};
}

}  // namespace emulsion
