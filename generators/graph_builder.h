// Small graphs written by hand: what the layer generators are made of.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "frontend/graph/graph.h"

namespace emulsion {

class GraphBuilder {
public:
    using Shape = std::vector<int64_t>;

    // An f32 tensor that the pipeline's caller gives; all of a layer's weights are such.
    TensorId input(const std::string &name, const Shape &shape);
    // An f32 number in the code.
    TensorId number(float value);
    // The result, of f32, of an operator on `inputs`.
    TensorId node(const std::string &type, const std::vector<TensorId> &inputs, const Shape &shape,
                  const std::map<std::string, Attribute> &attributes = {});
    // The graph, with `output` as its only output, called "output".
    Graph finish(TensorId output);

private:
    TensorId add(const std::string &name, const Shape &shape);

    Graph graph_;
};

}  // namespace emulsion
