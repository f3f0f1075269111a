#include "tuner/gaussian/process_model.h"

namespace emulsion {

const ModelKind &tuning_model_gaussian() {
    static const ModelKind kind = {
        "gaussian", "a Gaussian process of each task by itself", [](uint64_t seed) {
            return std::make_unique<ProcessModel>(ProcessModel::Tasks::Alone, seed);
        }};
    return kind;
}

}  // namespace emulsion
