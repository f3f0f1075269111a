// ArgMax and ArgMin.
#pragma once

#include <functional>

#include "tests/ops/operator_harness.h"

namespace emulsion {

// Random cases of the operator `type`, which looks for the element that is `better` than the others.
void test_arg(const std::string &type, const std::function<bool(double, double)> &better);
void test_arg_refusals(const std::string &type);

// The position along `axis` of the best element: that of the first or last of equals. Axis kept.
TestTensor reference_arg(const TestTensor &x, size_t axis, bool last,
                         const std::function<bool(double, double)> &better);

}  // namespace emulsion
