#include "bench/tuning/same_output.h"

#include <fmt/format.h>

#include "bench/compare.h"

namespace emulsion {

std::string SameOutput::check(const Array &output) {
    if (!first_) {
        first_ = output;
        return "";
    }
    const Difference difference = compare(output, *first_);
    return difference.passes() ? ""
                               : fmt::format("element {} is wrong by {} times the bound",
                                             difference.worst_element, difference.worst_ratio);
}

}  // namespace emulsion
