// References of operators that move data.
#pragma once

#include <functional>

#include "tests/ops/operator_harness.h"

namespace emulsion {

inline DataType any_type(Random &random) {
    return random.choose({DataType::F32, DataType::F32, DataType::F64, DataType::I8, DataType::I16,
                          DataType::I32, DataType::I64, DataType::U8, DataType::U16, DataType::U32,
                          DataType::U64, DataType::Bool});
}

// `values` as a constant operand of rank 1.
inline TestTensor int_list(const std::vector<int64_t> &values, DataType type = DataType::I64) {
    return {{static_cast<int64_t>(values.size())}, type, {values.begin(), values.end()}};
}

using Coordinates = std::vector<int64_t>;

// The tensor of `shape` whose element at `at` is the element of `x` at source(at).
inline TestTensor moved(const TestTensor &x, const std::vector<int64_t> &shape,
                        const std::function<Coordinates(const Coordinates &)> &source) {
    TestTensor y(shape, x.type);
    for_each_coordinate(shape, [&](const Coordinates &at) { y.at(at) = x.at(source(at)); });
    return y;
}

// `axis` of `rank`, at random counted from the end.
inline int64_t either_end(Random &random, int64_t axis, int64_t rank) {
    return random.flip() ? axis : axis - rank;
}

// Some of the axes 0 .. rank-1, in random order.
inline std::vector<int64_t> some_axes(Random &random, int rank) {
    std::vector<int64_t> axes;
    for (int axis = 0; axis < rank; axis++) {
        if (random.flip()) {
            axes.insert(axes.begin() + random.integer(0, static_cast<int64_t>(axes.size())), axis);
        }
    }
    return axes;
}

// Indices into an axis of `extent`, from either end.
inline TestTensor random_indices(Random &random, const std::vector<int64_t> &shape,
                                 int64_t extent) {
    TestTensor indices(shape, random.choose({DataType::I32, DataType::I64}));
    for (double &index : indices.values) {
        index = static_cast<double>(random.integer(-extent, extent - 1));
    }
    return indices;
}

inline int64_t from_start(double index, int64_t extent) {
    const auto i = static_cast<int64_t>(index);
    return i < 0 ? i + extent : i;
}

// What Scatter's attribute reduction makes of the value at a place and an update.
inline double combined(const std::string &reduction, double old, double update) {
    return reduction == "add"   ? old + update
           : reduction == "min" ? std::min(old, update)
           : reduction == "max" ? std::max(old, update)
                                : update;
}

}  // namespace emulsion
