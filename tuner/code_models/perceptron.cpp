#include "tuner/graph/graph_model.h"

namespace emulsion {

const CodeModelKind &tuning_code_model_perceptron() {
    static const CodeModelKind kind = {
        "perceptron", "a network as large, whose nodes know nothing of each other",
        [](uint64_t seed) {
            // So it has as many parameters as `graph`.
            constexpr Eigen::Index kHidden = 38;
            return std::make_unique<GraphModel>(
                GraphModelOptions{.propagates = false, .hidden = kHidden, .seed = seed});
        }};
    return kind;
}

}  // namespace emulsion
