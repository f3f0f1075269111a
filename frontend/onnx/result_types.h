// Types of values: what is inferred for them, together with what the model declares.
#pragma once

#include <onnx/onnx_pb.h>

#include <string>
#include <unordered_map>

#include "frontend/graph/graph.h"
#include "frontend/onnx/loader.h"

namespace emulsion {

class ResultTypes {
public:
    ResultTypes(const onnx::GraphProto &graph, const LoadLimits &limits);

    // A graph input, without data. Throws Error for types, ranks and sizes that are not accepted.
    Tensor input(const onnx::ValueInfoProto &proto) const;

    // The result `name` of a node, inferred as `type`; `declared`: it is a value of the model's graph,
    // which may declare what can't be inferred. Throws Error where the two contradict each other,
    // and where the type or a size stays unknown.
    Tensor result(const onnx::TypeProto &type, const std::string &name, bool declared) const;

    // Throws Error for a tensor without elements: it would exist at run time.
    static void require_elements(const Tensor &tensor);

private:
    Tensor make(const onnx::TypeProto &type, const std::string &name,
                const std::string &what) const;

    const LoadLimits &limits_;
    std::unordered_map<std::string, const onnx::TypeProto *> declared_;
};

}  // namespace emulsion
