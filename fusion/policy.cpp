#include "fusion/policy.h"

#include "fusion/error.h"

namespace emulsion {

const Policy &find_policy(const std::string &name) {
    std::string known;
    for (const Policy *policy : all_policies()) {
        if (policy->name == name) {
            return *policy;
        }
        known += (known.empty() ? "" : ", ") + policy->name;
    }
    throw Error("unknown policy '" + name + "'; known are " + known);
}

}  // namespace emulsion
