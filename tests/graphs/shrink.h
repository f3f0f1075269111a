// The smallest graph that fails as a given one does.
#pragma once

#include <functional>

#include "tests/graphs/graph_maker.h"

namespace emulsion::test {

// Tries outputs alone, and inputs (with the values that the reference has there) in the place of nodes, until none
// can go, or `seconds` are over. `fails` says whether a graph still does.
GraphCase shrink(const GraphCase &example, const std::function<bool(const GraphCase &)> &fails,
                 double seconds);

}  // namespace emulsion::test
