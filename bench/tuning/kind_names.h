// Names of all kinds of something.
#pragma once

#include <span>
#include <string>
#include <vector>

namespace emulsion {

template<typename Kind>
std::vector<std::string> names_of(std::span<const Kind *const> kinds) {
    std::vector<std::string> names;
    for (const Kind *kind : kinds) {
        names.push_back(kind->name);
    }
    return names;
}

}  // namespace emulsion
