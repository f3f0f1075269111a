// Which operator every way from an operator leads through.
#pragma once

#include <vector>

#include "fusion/operator_graph.h"

namespace emulsion {

// The first operator that every path from operator i to the end of the graph comes by, or -1 where i's
// result has to be stored: it is an output, read by nobody, read by operators that have no such operator in
// common, or makes or feeds an operator of `alone`, which are groups by themselves.
//
// A member of a group that is not its root is read inside of the group only, so all ways from it lead
// through the root: a group is a subtree of the tree that these parents make.
std::vector<int> post_dominators(const OperatorGraph &graph, const std::vector<bool> &alone);

}  // namespace emulsion
