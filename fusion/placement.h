// Where the results of a group's members are computed, as numbers into an OperatorGraph: what a cost
// model chooses for a group, and what the planner writes into the plan.
#pragma once

#include <cstdint>
#include <vector>

namespace emulsion {

// Members not listed are computed where they are read. Lists ascend; none has the root.
struct GroupPlacement {
    std::vector<int> panels;  // kept for a panel of the root's rows at a time
    std::vector<int> wholes;  // kept whole, computed before the root's loops
    // Of the wholes and the root, those whose loops run on one core.
    std::vector<int> serial;
    int64_t rows = 0;                   // of the root in a panel
    bool single_rows = false;           // the root computes them one at a time
    int64_t task_panels = 1;            // one after the other, each computing its new rows only
    std::vector<std::vector<int>> cut;  // by panel: the axes of which it has a part only
    // The root's loop nest: an index into NestSpace::points of its stage's anchor.
    int point = 0;
    bool operator==(const GroupPlacement &) const = default;
};

// Operators (indices, ascending) that are computed together; the last one is the root.
struct PlacedGroup {
    std::vector<int> members;
    GroupPlacement placement;
    bool operator==(const PlacedGroup &) const = default;
};

}  // namespace emulsion
