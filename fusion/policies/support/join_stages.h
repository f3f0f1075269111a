// Groups that become stages of the group which reads their result.
#pragma once

#include "fusion/machine.h"
#include "fusion/operator_graph.h"
#include "fusion/policy.h"

namespace emulsion {

// Joins every group whose result a single other group reads to that one, as a panel, where the loop nest
// of the reader's root has room for it, nothing is computed twice and the panel fits the private cache.
Partition join_stages(const OperatorGraph &graph, const Machine &machine, Partition partition);

}  // namespace emulsion
