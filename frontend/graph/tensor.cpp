// Shapes, sizes and constant bytes of tensors.
#include <memory>
#include <string>
#include <vector>

#include "frontend/graph/graph.h"

namespace emulsion {

ConstantData make_constant(std::vector<std::byte> values) {
    auto owner = std::make_shared<const std::vector<std::byte>>(std::move(values));
    ConstantData data;
    data.bytes = owner->data();
    data.size = owner->size();
    data.owner = std::move(owner);
    return data;
}

std::vector<int64_t> Tensor::extents() const {
    std::vector<int64_t> result;
    result.reserve(shape.size());
    for (size_t axis = 0; axis < shape.size(); ++axis) {
        if (!shape[axis].is_constant()) {
            throw Error("axis " + std::to_string(axis) + " of '" + name +
                        "' has the symbolic size '" + shape[axis].symbol() +
                        "'; give it with --shape");
        }
        result.push_back(shape[axis].value());
    }
    return result;
}

int64_t Tensor::element_count() const {
    int64_t count = 1;
    for (const int64_t extent : extents()) {
        if (extent < 0 || __builtin_mul_overflow(count, extent, &count)) {
            throw Error("the size of '" + name + "' does not fit 64 bits");
        }
    }
    return count;
}

}  // namespace emulsion
