#include "tuner/gaussian/process_model.h"

namespace emulsion {

const ModelKind &tuning_model_gaussian() {
    static const ModelKind kind = {.name = "gaussian",
                                   .description = "a Gaussian process of each task by itself",
                                   .make =
                                       [](uint64_t seed) {
                                           return std::make_unique<ProcessModel>(
                                               ProcessModel::Tasks::Alone, seed);
                                       },
                                   .new_share = 0.0};
    return kind;
}

}  // namespace emulsion
