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
        const Halide::OutputImageParam buffer = output.output_buffers().front();
        for_channels(output, [&](int axis, AxisEstimate estimate) {
            const Expr as_estimated =
                buffer.dim(axis).min() == static_cast<int>(estimate.min) &&
                buffer.dim(axis).extent() == static_cast<int>(estimate.extent);
            all = all.defined() ? all && as_estimated : as_estimated;
        });
    }
    return all;
}

}  // namespace emulsion
