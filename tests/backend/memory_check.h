// What launches find in the memory that they read, followed element by element through a program.
#pragma once

#include <string>

#include "backend/program.h"

namespace emulsion::test {

// Whether, in a first run and in a later one, every launch and every copied output reads what was written for
// it: inside of a tensor elements that a launch wrote for the tensor's memory, in its halo the value that the
// layout promises, and nothing that was put there for others in between. Returns what is wrong, one sentence,
// or "".
std::string memory_fault(const Graph &graph, const PlannedNetwork &network, const Program &program);

}  // namespace emulsion::test
