// ONNX element types, shapes and tensor data as the graph's.
#pragma once

#include <memory>
#include <string>

#include "frontend/graph/graph.h"
#include "frontend/onnx/external_data.h"
#include "frontend/onnx/loader.h"

namespace onnx {
class TensorProto;
}

namespace emulsion {

// The element type number `onnx_type` of TensorProto. Throws Error, naming `what`, for types that
// Emulsion does not have.
DataType data_type_of(int onnx_type, const std::string &what);

// The number of `type` in TensorProto.
int onnx_type_of(DataType type);

// Throws Error, naming `what`, when shape breaks the limits on rank and elements. Symbolic
// dimensions count as 1.
void check_shape(const std::vector<Dim> &shape, const LoadLimits &limits, const std::string &what);

// Throws Error unless constant_tensor accepts the element type and the shape of `proto`.
void require_supported_type(const onnx::TensorProto &proto, const LoadLimits &limits);

// `proto` as a constant tensor. Data is shared with `proto` wherever its form allows (all of
// raw_data does); external data is read through `external`. Throws Error when the data do not fit
// type and shape.
Tensor constant_tensor(const std::shared_ptr<const onnx::TensorProto> &proto,
                       ExternalData &external, const LoadLimits &limits);

}  // namespace emulsion
