// The mean over axes, for the tests of GlobalAveragePool and ReduceMean.
#pragma once

#include <set>

#include "tests/ops/operator_harness.h"

namespace emulsion {

inline TestTensor reference_mean(const TestTensor &x, const std::set<int> &reduced, bool keep) {
    // Computed with reduced axes kept; dropping axes of extent 1 moves no element.
    std::vector<int64_t> kept_shape = x.shape;
    std::vector<int64_t> shape;
    double count = 1.0;
    for (size_t axis = 0; axis < x.shape.size(); axis++) {
        const bool reduce = reduced.count(static_cast<int>(axis)) != 0;
        if (reduce) {
            kept_shape[axis] = 1;
            count *= static_cast<double>(x.shape[axis]);
        }
        if (!reduce || keep) {
            shape.push_back(kept_shape[axis]);
        }
    }
    TestTensor sum(kept_shape, x.type);
    for_each_coordinate(x.shape, [&](const std::vector<int64_t> &at) {
        std::vector<int64_t> target = at;
        for (size_t axis = 0; axis < at.size(); axis++) {
            target[axis] = kept_shape[axis] == 1 ? 0 : at[axis];
        }
        sum.at(target) += x.at(at) / count;
    });
    return TestTensor(shape, x.type, sum.values);
}

}  // namespace emulsion
