// Entries of a registry by their names.
#pragma once

#include <span>
#include <string>

#include "fusion/error.h"

namespace emulsion {

// Throws Error, listing the known ones, for an unknown name. `what` names the kind in it.
template<typename Kind>
const Kind &find_kind(std::span<const Kind *const> all, const std::string &name,
                      const std::string &what) {
    std::string known;
    for (const Kind *kind : all) {
        if (kind->name == name) {
            return *kind;
        }
        known += (known.empty() ? "" : ", ") + kind->name;
    }
    throw Error("unknown " + what + " '" + name + "'; known are " + known);
}

}  // namespace emulsion
