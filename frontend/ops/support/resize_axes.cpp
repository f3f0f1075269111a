// Operands and attributes of Resize.
#include <algorithm>
#include <cmath>
#include <limits>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "frontend/ops/support/checks.h"
#include "frontend/ops/support/lists.h"
#include "frontend/ops/support/resize.h"

namespace emulsion {

namespace {

constexpr int kRoi = 1;
constexpr int kScales = 2;
constexpr int kSizes = 3;

void require_text(const OperatorContext &context, const char *name, const char *otherwise,
                  std::initializer_list<std::string_view> accepted) {
    const std::string value = context.node().text(name, otherwise);
    if (std::find(accepted.begin(), accepted.end(), value) == accepted.end()) {
        refuse(context, fmt::format("attribute {} is '{}'; accepted: {}", name, value,
                                    fmt::join(accepted, ", ")));
    }
}

// ONNX's models give an absent operand as an empty tensor, too.
bool is_given(const OperatorContext &context, int index) {
    return context.has_input(index) && context.input(index).element_count() != 0;
}

std::vector<ResizedAxis> named_axes(const OperatorContext &context) {
    const std::vector<int64_t> x = context.input_shape(0);
    const int rank = static_cast<int>(x.size());
    std::vector<int> named = all_axes(rank);
    if (context.node().has("axes")) {
        named = distinct_axes(context, context.node().integers("axes", {}), rank, "attribute axes");
    }
    std::vector<ResizedAxis> result;
    for (const int axis : named) {
        ResizedAxis resized;
        resized.axis = axis;
        resized.input = resized.output = x[static_cast<size_t>(axis)];
        result.push_back(resized);
    }
    return result;
}

void require_count(const OperatorContext &context, const char *name, size_t count,
                   size_t expected) {
    if (count != expected) {
        refuse(context,
               fmt::format("operand {} has {} elements instead of {}", name, count, expected));
    }
}

void take_scales(const OperatorContext &context, std::vector<ResizedAxis> &axes) {
    require_type(context, kScales, {DataType::F32});
    const std::vector<double> scales = constant_reals(context, kScales);
    require_count(context, "scales", scales.size(), axes.size());
    for (size_t i = 0; i < axes.size(); i++) {
        // In single precision, as ONNX's shape inference and ONNX Runtime have it.
        const float output = static_cast<float>(axes[i].input) * static_cast<float>(scales[i]);
        if (!(scales[i] > 0.0) || !(output >= 1.0F) || output > 2147483647.0F) {
            refuse(context, fmt::format("operand scales is [{}]; an axis of extent {} can't become "
                                        "{} times as long",
                                        fmt::join(scales, ", "), axes[i].input, scales[i]));
        }
        axes[i].scale = scales[i];
        axes[i].output = static_cast<int64_t>(output);
    }
}

void take_sizes(const OperatorContext &context, std::vector<ResizedAxis> &axes) {
    require_type(context, kSizes, {DataType::I64});
    const std::vector<int64_t> sizes = constant_integers(context, kSizes);
    require_count(context, "sizes", sizes.size(), axes.size());
    const std::string policy = context.node().text("keep_aspect_ratio_policy", "stretch");
    std::vector<double> scales;
    for (size_t i = 0; i < axes.size(); i++) {
        if (sizes[i] < 1 || sizes[i] > std::numeric_limits<int32_t>::max()) {
            refuse(context, fmt::format("operand sizes is {}; extents from 1 to 2^31-1 are "
                                        "supported",
                                        to_string(sizes)));
        }
        scales.push_back(static_cast<double>(sizes[i]) / static_cast<double>(axes[i].input));
    }
    for (size_t i = 0; i < axes.size(); i++) {
        axes[i].scale = scales[i];
        axes[i].output = sizes[i];
        if (policy != "stretch") {
            axes[i].scale = policy == "not_larger"
                                ? *std::min_element(scales.begin(), scales.end())
                                : *std::max_element(scales.begin(), scales.end());
            axes[i].output = static_cast<int64_t>(
                std::floor(axes[i].scale * static_cast<double>(axes[i].input) + 0.5));
        }
    }
}

bool crops(const OperatorContext &context) {
    return context.node().text("coordinate_transformation_mode", "half_pixel") ==
           "tf_crop_and_resize";
}

void take_roi(const OperatorContext &context, std::vector<ResizedAxis> &axes) {
    if (!is_given(context, kRoi)) {
        refuse(context, "operand roi is missing, which tf_crop_and_resize needs");
    }
    require_type(context, kRoi, kFloatTypes);
    const std::vector<double> roi = constant_reals(context, kRoi);
    require_count(context, "roi", roi.size(), 2 * axes.size());
    for (const double bound : roi) {
        if (!std::isfinite(bound)) {
            refuse(context, fmt::format("operand roi is [{}]; its bounds have to be finite",
                                        fmt::join(roi, ", ")));
        }
    }
    for (size_t i = 0; i < axes.size(); i++) {
        axes[i].roi_start = roi[i];
        axes[i].roi_end = roi[axes.size() + i];
    }
}

}  // namespace

void check_resize_modes(const OperatorContext &context) {
    require_text(context, "mode", "nearest", {"nearest", "linear", "cubic"});
    require_text(context, "coordinate_transformation_mode", "half_pixel",
                 {"half_pixel", "half_pixel_symmetric", "pytorch_half_pixel", "align_corners",
                  "asymmetric", "tf_half_pixel_for_nn", "tf_crop_and_resize"});
    require_text(context, "nearest_mode", "round_prefer_floor",
                 {"round_prefer_floor", "round_prefer_ceil", "floor", "ceil"});
    require_text(context, "keep_aspect_ratio_policy", "stretch",
                 {"stretch", "not_larger", "not_smaller"});
    const bool nearest = context.node().text("mode", "nearest") == "nearest";
    if (nearest && context.node().integer("antialias", 0) != 0) {
        refuse(context, "attribute antialias is set, which goes with mode linear or cubic");
    }
}

std::vector<ResizedAxis> resized_axes(const OperatorContext &context) {
    std::vector<ResizedAxis> axes = named_axes(context);
    const bool has_scales = is_given(context, kScales);
    const bool has_sizes = is_given(context, kSizes);
    if (has_scales == has_sizes) {
        refuse(context, "exactly one of the operands scales and sizes is needed");
    }
    if (has_scales) {
        take_scales(context, axes);
    } else {
        take_sizes(context, axes);
    }
    if (crops(context)) {
        take_roi(context, axes);
    }
    std::erase_if(axes, [](const ResizedAxis &axis) {
        return axis.input == axis.output && axis.scale == 1.0 && axis.roi_start == 0.0 &&
               axis.roi_end == 1.0;
    });
    if (const int64_t along = context.node().integer(kResizedAlong, -1); along >= 0) {
        std::erase_if(axes, [&](const ResizedAxis &axis) { return axis.axis != along; });
    }
    return axes;
}

}  // namespace emulsion
