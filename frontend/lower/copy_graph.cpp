#include "frontend/lower/copy_graph.h"

namespace emulsion {

Graph copy_graph(const Tensor &tensor) {
    Graph copy;
    Tensor in = tensor;
    in.constant.reset();
    Tensor out = in;
    in.name = "in";
    out.name = "out";
    Node node;
    node.operator_type = "Identity";
    node.inputs = {copy.add_tensor(in)};
    node.outputs = {copy.add_tensor(out)};
    copy.inputs = node.inputs;
    copy.outputs = node.outputs;
    copy.nodes.push_back(node);
    return copy;
}

}  // namespace emulsion
