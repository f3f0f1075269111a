// The time of a group of stages under the best of the shapes that its root can take.
#pragma once

#include <vector>

#include "fusion/image/decisions.h"
#include "fusion/machine.h"

namespace emulsion {

// Sets the group's shape and cycles. Its members are panels or in registers; infinite cycles if
// no shape is legal.
void price_group(const ImageGraph &graph, const StagePlacements &placements,
                 const CpuMachine &machine, ImageGroup &group);

// A shape that a group's root can take, and what the group costs then: infinite where that is not legal.
struct PricedShape {
    Shape shape;
    double cycles = 0.0;
};
std::vector<PricedShape> priced_shapes(const ImageGraph &graph, const StagePlacements &placements,
                                       const CpuMachine &machine, const ImageGroup &group);

// What a group costs with the shape that it has.
double group_cycles(const ImageGraph &graph, const StagePlacements &placements,
                    const CpuMachine &machine, const ImageGroup &group);

// What all groups cost together, each with the shape that it has.
double decided_cycles(const CpuMachine &machine, const ImageDecisions &decisions);

}  // namespace emulsion
