// Axes of a few elements that outputs have, like the channels of an image, and that other Funcs have because of them: in
// calls for as many as are estimated, their loops can be unrolled.
#pragma once

#include <Halide.h>

#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace emulsion {

// An axis, but the first, is one of channels from 2 elements up to this length.
constexpr int64_t kMostChannels = 4;

// That an output has as many elements along an axis as its estimate, which is a number, says.
Halide::Expr is_as_estimated(const Halide::Func &output, int axis);

// By Func, bounds that hold in every call for as many channels of all outputs as are estimated.
std::map<std::string, Halide::Internal::Box>
boxes_with_channels(const std::vector<Halide::Func> &outputs);

// That a call is for as many; undefined where no output has channels.
Halide::Expr channels_as_estimated(const std::vector<Halide::Func> &outputs);

}  // namespace emulsion
