// JSON of a plan, read by readers that take nothing for what it is not: nlohmann's own turn 1.5, true and 2^32 into
// ints. All throw Error.
#pragma once

#include <cstdint>
#include <limits>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include "fusion/error.h"

namespace emulsion {

template<typename Int>
Int whole(const nlohmann::json &j) {
    const bool fits =
        j.is_number_unsigned()
            ? j.get<uint64_t>() <= static_cast<uint64_t>(std::numeric_limits<Int>::max())
            : j.is_number_integer() && j.get<int64_t>() >= std::numeric_limits<Int>::min() &&
                  j.get<int64_t>() <= std::numeric_limits<Int>::max();
    if (!fits) {
        throw Error("the plan has " + j.dump() + " where a whole number of " +
                    std::to_string(8 * sizeof(Int)) + " bits belongs");
    }
    return j.get<Int>();
}

inline void require_list(const nlohmann::json &j) {
    if (!j.is_array()) {
        throw Error("the plan has " + j.dump() + " where a list belongs");
    }
}

inline std::vector<int> indices(const nlohmann::json &j) {
    require_list(j);
    std::vector<int> result;
    for (const nlohmann::json &index : j) {
        result.push_back(whole<int>(index));
    }
    return result;
}

inline double number(const nlohmann::json &j) {
    if (!j.is_number()) {
        throw Error("the plan has " + j.dump() + " where a number belongs");
    }
    return j.get<double>();
}

}  // namespace emulsion
