#include "tuner/model.h"

#include "fusion/find_kind.h"

namespace emulsion {

const ModelKind &find_model(const std::string &name) {
    return find_kind(all_models(), name, "model of points");
}

}  // namespace emulsion
