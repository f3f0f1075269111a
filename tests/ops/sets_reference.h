// Operators that map a tensor to one of its shape, each element depending on those that share its
// coordinates on some axes: softmax, normalisations.
#pragma once

#include <functional>
#include <set>

#include "tests/ops/operator_harness.h"

namespace emulsion {

// The elements that a set becomes.
using SetFunction = std::function<std::vector<double>(const std::vector<double> &)>;

// `function` of every set of elements of `x` that differ in the coordinates `along` only, in row-major
// order.
TestTensor reference_sets(const TestTensor &x, const std::set<int> &along,
                          const SetFunction &function);

// Random cases of the operator `type`, whose sets run along attribute axis, and what it refuses.
// `offset` is added to all elements in half of the cases.
void test_along_axis(const std::string &type, const SetFunction &function, double offset = 0.0,
                     const std::function<void(OperatorCase &)> &set_attributes = nullptr);
void test_along_axis_refusals(const std::string &type);

// (x - mean) / sqrt(variance + epsilon) for the elements of a set.
std::vector<double> normalized(const std::vector<double> &values, double epsilon);
double mean_of(const std::vector<double> &values);
double variance_of(const std::vector<double> &values);

// All axes from `first` on.
std::set<int> axes_behind(int first, int rank);

}  // namespace emulsion
