#include "tuner/graph/graph_model.h"

namespace emulsion {

const CodeModelKind &tuning_code_model_perceptron() {
    static const CodeModelKind kind = {
        "perceptron", "the same network, whose nodes know nothing of their neighbours",
        [](uint64_t seed) {
            return std::make_unique<GraphModel>(
                GraphModelOptions{.propagates = false, .seed = seed});
        }};
    return kind;
}

}  // namespace emulsion
