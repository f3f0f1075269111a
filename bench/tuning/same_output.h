// Whether candidates compute the same.
#pragma once

#include <optional>
#include <string>

#include "bench/npy.h"

namespace emulsion {

class SameOutput {
public:
    // What is wrong; "" of the first output, and of those within the bound from it (bench/compare.h).
    std::string check(const Array &output);

private:
    std::optional<Array> first_;
};

}  // namespace emulsion
