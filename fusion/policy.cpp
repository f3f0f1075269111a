#include "fusion/policy.h"

#include "fusion/find_kind.h"

namespace emulsion {

const Policy &find_policy(const std::string &name) {
    return find_kind(all_policies(), name, "policy");
}

}  // namespace emulsion
