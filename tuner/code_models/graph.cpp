#include "tuner/graph/graph_model.h"

namespace emulsion {

const CodeModelKind &tuning_code_model_graph() {
    static const CodeModelKind kind = {
        "graph", "a neural network on the graph of the lowered code", [](uint64_t seed) {
            return std::make_unique<GraphModel>(graph_model_options(true, seed));
        }};
    return kind;
}

}  // namespace emulsion
