#include "tuner/gaussian/process_model.h"

namespace emulsion {

const ModelKind &tuning_model_coregional() {
    static const ModelKind kind = {
        "coregional", "a Gaussian process of all tasks of a template together (GPTune)",
        [](uint64_t seed) {
            return std::make_unique<ProcessModel>(ProcessModel::Tasks::Together, seed);
        }};
    return kind;
}

}  // namespace emulsion
