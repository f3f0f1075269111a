// What is known of a group and its loop nests: shapes, work, and what the templates' models expect.
#pragma once

#include <memory>

#include "fusion/machine.h"
#include "fusion/operator_graph.h"
#include "fusion/plan.h"
#include "fusion/point_facts.h"

namespace emulsion {

// Of points of group_space(). Stages count from the last one, which stores the result: "s0.cycles" is of that. Sizes, work
// and cycles are logarithms to base 2 (of 1 more, so that 0 stays 0). Neither `graph` nor `group` needs to live as long.
std::unique_ptr<PointFacts> group_facts(const OperatorGraph &graph, const PlannedGroup &group,
                                        const Machine &machine);

}  // namespace emulsion
