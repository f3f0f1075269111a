#include "tuner/graph/graph_model.h"

namespace emulsion {

const CodeModelKind &tuning_code_model_perceptron() {
    static const CodeModelKind kind = {
        "perceptron", "a network as large, whose nodes know nothing of each other",
        [](uint64_t seed) {
            return std::make_unique<GraphModel>(graph_model_options(false, seed));
        }};
    return kind;
}

}  // namespace emulsion
