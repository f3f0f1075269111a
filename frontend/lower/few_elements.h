// A few integers that Funcs compute, worked out by Halide's simplifier: the shapes that exporters compute with nodes. To
// compile such a Func takes tens of milliseconds, its elements tens of microseconds each.
#pragma once

#include <Halide.h>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

namespace emulsion {

// The elements of `output`, of these extents, in row-major order (dimension i is axis i). Nothing where there are many, or
// where one depends on what is no integer, on a reduction, on a parameter without a value, or overflows.
std::optional<std::vector<std::byte>> few_elements(const Halide::Func &output,
                                                   const std::vector<int64_t> &extents);

}  // namespace emulsion
