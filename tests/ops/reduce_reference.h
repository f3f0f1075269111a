// The family of ReduceSum: what every test of it does.
#pragma once

#include <functional>
#include <set>

#include "tests/ops/operator_harness.h"

namespace emulsion {

// What becomes of the elements that are reduced to one, in double precision.
using Reduction = std::function<double(const std::vector<double> &)>;

// `reduction` over the axes `reduced` of `x`, which stay with extent 1 if `keep`. Results of integer
// tensors are rounded towards zero.
TestTensor reference_reduce(const TestTensor &x, const std::set<int> &reduced, bool keep,
                            const Reduction &reduction);

// Random cases of the operator `type`, with every way to say which axes. `prepare`, where given, turns
// random elements into those to test with.
void test_reduction(const std::string &type, std::initializer_list<DataType> types,
                    const Reduction &reduction,
                    const std::function<double(double)> &prepare = nullptr);

// What all of the family refuse.
void test_reduction_refusals(const std::string &type);

// Random cases of a pool over all axes behind the channels. `p` is its attribute, 0 for none.
void test_global_pool(const std::string &type, const Reduction &reduction, int64_t p = 0);

}  // namespace emulsion
