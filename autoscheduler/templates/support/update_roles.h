// Reductions whose update does not write at its own variables, and those that have none: what of such an update may be
// cut into tiles.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "autoscheduler/func_facts.h"

namespace emulsion {

enum class UpdateKind {
    Scan,     // along one axis, of whose elements each is made of the one before
    Scatter,  // to places that data say
    Total,    // one number of all elements
};

struct UpdateRoles {
    UpdateKind kind = UpdateKind::Total;
    // Axes along which the steps of the update don't meet, so that they may run in any order, side by side.
    std::vector<int> free;
    int scanned = -1;  // the axis of a scan
    // Of a scatter, by axis: the reduction loop that walks it, "" where data say where to write.
    std::vector<std::string> loops;
};

// Nothing where the update is none of these kinds, or has no axis that could be cut.
std::optional<UpdateRoles> update_roles(const FuncFacts &facts);

}  // namespace emulsion
