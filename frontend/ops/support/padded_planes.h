// Windows over images that lie plane by plane, as a network's caller has them: implementations with vectors along the
// windows of the last axis. One that pads is several operators, of which the first one makes padded images; rows of these
// may be computed where they are read. Margins around values as they lie in memory would have to be filled around every row
// of every plane, which takes longer than to copy these.
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "frontend/ops/operator.h"
#include "frontend/ops/support/window.h"

namespace emulsion {

// Along the last axis, for vectors to run along it.
constexpr int64_t kFewestColumns = 4;

using WindowsOf = std::function<std::vector<WindowAxis>(const OperatorContext &)>;

// The Funcs of `build`, of windows none of which leaves the image.
Implementation planar_windows(const WindowsOf &windows,
                              const std::function<Halide::Func(OperatorContext &)> &build);

// What windows find outside of the image.
enum class Outside { Zero, Lowest };

// Padded images and the operator without padding.
Implementation padded_planes(const WindowsOf &windows, Outside outside);

// A convolution with a stride along the last axis as one of padded images whose columns lie by their phase (PhasedConv).
Implementation phased_planes(const WindowsOf &windows);

// A convolution with groups of several channels, which are an axis then (GroupedConv).
Implementation grouped_planes(const WindowsOf &windows);

// ---- for other such implementations --------------------------------------------------------

// `implementation` where `also` holds as well.
Implementation only_where(Implementation implementation,
                          const std::function<bool(const OperatorContext &)> &also);

// Adds padded images of the node's operand 0, which is to have shape `shape`.
TensorId add_padded_planes(std::vector<int64_t> shape, const std::vector<WindowAxis> &windows,
                           Outside outside, SubgraphBuilder &builder);

// The builder's node, of operand `padded` in the place of the first one.
Node without_padding(const SubgraphBuilder &builder, TensorId padded);

}  // namespace emulsion
