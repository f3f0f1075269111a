// Networks whose operators are computed by one of their implementations, whatever it takes.
#pragma once

#include <string>

#include "frontend/lower/network.h"
#include "tests/lower/network_maker.h"

namespace emulsion::test {

// Every operator that has an implementation of that name, forced to it.
PlanOptions forcing_implementation(const Graph &graph, const std::string &implementation,
                                   PlanOptions options);

// Expects that so many operators have it, and that the network is right on all targets of this CPU.
void expect_right_with(const std::string &implementation, const Graph &graph, size_t operators);

}  // namespace emulsion::test
