// An entry of the unit cache: the object, and what else has to be known of how it was compiled.
#pragma once

#include <optional>
#include <string>

#include "fusion/plan.h"

namespace emulsion {

struct UnitEntry {
    std::string object;
    std::optional<Plan> shrunk;  // the unit's plan, where it has smaller loop nests than planned
};

// As bytes and back; nothing for what these are not. The plan stands behind the object, then how long it is.
std::string to_bytes(const UnitEntry &entry);
std::optional<UnitEntry> unit_entry(std::string bytes);

}  // namespace emulsion
