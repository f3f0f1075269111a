// Values as the reference of random graphs computes them: elements in double precision, row-major.
#pragma once

#include <cstdint>
#include <vector>

#include "frontend/graph/data_type.h"
#include "fusion/layout.h"

namespace emulsion::test {

using Shape = std::vector<int64_t>;

struct Value {
    DataType type = DataType::F32;
    Shape shape;
    std::vector<double> at;

    Value() = default;
    // Zeros.
    Value(DataType type, Shape shape)
        : type(type), shape(std::move(shape)),
          at(static_cast<size_t>(element_count(this->shape)), 0.0) {}

    size_t rank() const { return shape.size(); }
    size_t flat(const Shape &index) const {
        size_t offset = 0;
        for (size_t i = 0; i < shape.size(); i++) {
            offset = offset * static_cast<size_t>(shape[i]) + static_cast<size_t>(index[i]);
        }
        return offset;
    }
    double &operator()(const Shape &index) { return at[flat(index)]; }
    double operator()(const Shape &index) const { return at[flat(index)]; }
};

// visit(index, flat) for every element of `shape`, row-major.
template<typename Visit>
void for_each_index(const Shape &shape, Visit visit) {
    Shape index(shape.size(), 0);
    const auto count = static_cast<size_t>(element_count(shape));
    for (size_t flat = 0; flat < count; flat++) {
        visit(static_cast<const Shape &>(index), flat);
        for (size_t axis = shape.size(); axis-- > 0;) {
            if (++index[axis] < shape[axis]) {
                break;
            }
            index[axis] = 0;
        }
    }
}

// The value of `shape` whose element at an index is x's at source(index).
template<typename Source>
Value moved_elements(const Value &x, const Shape &shape, Source source) {
    Value y(x.type, shape);
    for_each_index(shape, [&](const Shape &index, size_t flat) { y.at[flat] = x(source(index)); });
    return y;
}

// ONNX's multidirectional broadcasting: of two shapes that fit; whether the result of two is the second one; the
// element of `x` that is read at `index` of the result.
Shape broadcast_shapes(const Shape &a, const Shape &b);
bool broadcasts_to(const Shape &small, const Shape &shape);
double broadcast_at(const Value &x, const Shape &index);

inline int64_t axis_from_start(int64_t axis, size_t rank) {
    return axis < 0 ? axis + static_cast<int64_t>(rank) : axis;
}

}  // namespace emulsion::test
