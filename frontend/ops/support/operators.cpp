#include "frontend/ops/operator.h"

namespace emulsion {

const Operator *find_operator(const std::string &domain, const std::string &type) {
    for (const Operator *candidate : all_operators()) {
        if (candidate->domain == domain && candidate->type == type) {
            return candidate;
        }
    }
    return nullptr;
}

}  // namespace emulsion
