// Whether a schedule computes what the reference does.
#pragma once

#include <string>

#include <HalideBuffer.h>

namespace emulsion::classics {

// Empty if all elements agree, else what is wrong. Integers may differ by one, floats by
// 1e-4 + 1e-3 |reference|: multiplications and additions are contracted here and not there. Of a
// million elements a thousand may differ more, where a rounding decides between two branches.
std::string disagreement(const Halide::Runtime::Buffer<> &value,
                         const Halide::Runtime::Buffer<> &reference);

}  // namespace emulsion::classics
