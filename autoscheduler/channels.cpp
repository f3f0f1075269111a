#include "autoscheduler/channels.h"

#include <functional>
#include <optional>

#include "autoscheduler/regions.h"

namespace emulsion {

namespace {

using Halide::Expr;
using Halide::Func;

void for_channels(const Func &output, const std::function<void(int, AxisEstimate)> &use) {
    for (int axis = 1; axis < output.dimensions(); axis++) {
        const std::optional<AxisEstimate> estimate = estimated_axis(output, axis);
        if (estimate && estimate->extent >= 2 && estimate->extent <= kMostChannels) {
            use(axis, *estimate);
        }
    }
}

}  // namespace

Expr is_as_estimated(const Func &output, int axis) {
    const AxisEstimate estimate = *estimated_axis(output, axis);
    const auto dim = output.output_buffers().front().dim(axis);
    return dim.min() == static_cast<int>(estimate.min) &&
           dim.extent() == static_cast<int>(estimate.extent);
}

std::map<std::string, Halide::Internal::Box> boxes_with_channels(const std::vector<Func> &outputs) {
    return fixed_boxes(outputs, [](const Func &output, Halide::Internal::Box &box) {
        for_channels(output, [&](int axis, AxisEstimate estimate) {
            const auto min = static_cast<int>(estimate.min);
            box[static_cast<size_t>(axis)] = {min, min + static_cast<int>(estimate.extent) - 1};
        });
    });
}

Expr channels_as_estimated(const std::vector<Func> &outputs) {
    Expr all;
    for (const Func &output : outputs) {
        for_channels(output, [&](int axis, AxisEstimate) {
            const Expr one = is_as_estimated(output, axis);
            all = all.defined() ? all && one : one;
        });
    }
    return all;
}

}  // namespace emulsion
