// Indices that are known at run time only.
#pragma once

#include "frontend/ops/operator.h"

namespace emulsion {

// ONNX's types of indices.
inline constexpr std::initializer_list<DataType> kIndexTypes = {DataType::I32, DataType::I64};

// `index`, which counts from the end if negative, as a coordinate of an axis of `extent` elements. A
// wrong index reads the nearest element: never outside.
Halide::Expr index_coordinate(const Halide::Expr &index, int64_t extent);

}  // namespace emulsion
