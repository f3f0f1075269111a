// What a tensor's values look like, for those who read no file of them.
#pragma once

#include <string>
#include <vector>

#include "bench/npy.h"

namespace emulsion {

struct OutputSummary {
    double min = 0.0, max = 0.0,
           mean = 0.0;  // of the elements that are no NaN; NaN where there are none
    size_t nans = 0;
    std::vector<double> first;  // the first elements, at most kFirstElements
};
constexpr size_t kFirstElements = 5;

OutputSummary summarise_output(const Array &array);

// "probabilities  f32 1x1000  min 0.0001, max 0.3, mean 0.001; 0.0002, 0.0003, ..."
std::string describe_output(const std::string &name, const Array &array);

}  // namespace emulsion
