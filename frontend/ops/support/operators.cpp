#include <string_view>
#include <unordered_map>

#include "frontend/ops/operator.h"

namespace emulsion {

const Operator *find_operator(const std::string &domain, const std::string &type) {
    // Asked several times for every node; no type is in two domains.
    static const auto by_type = [] {
        std::unordered_map<std::string_view, const Operator *> map;
        for (const Operator *each : all_operators()) {
            map.emplace(each->type, each);
        }
        return map;
    }();
    const auto found = by_type.find(type);
    return found != by_type.end() && found->second->domain == domain ? found->second : nullptr;
}

}  // namespace emulsion
