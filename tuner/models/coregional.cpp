#include "tuner/gaussian/process_model.h"

namespace emulsion {

const ModelKind &tuning_model_coregional() {
    static const ModelKind kind = {
        .name = "coregional",
        .description = "a Gaussian process of all tasks of a template together (GPTune)",
        .make =
            [](uint64_t seed) {
                return std::make_unique<ProcessModel>(ProcessModel::Tasks::Together, seed);
            },
        .new_share = 0.0};
    return kind;
}

}  // namespace emulsion
