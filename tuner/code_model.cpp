#include "tuner/code_model.h"

#include "fusion/find_kind.h"

namespace emulsion {

const CodeModelKind &find_code_model(const std::string &name) {
    return find_kind(all_code_models(), name, "model of code");
}

}  // namespace emulsion
