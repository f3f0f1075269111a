// Which points of an image graph's space (fusion/image/image_space.h) are worth measuring, by the prices.
#pragma once

#include <cstddef>
#include <set>
#include <string>
#include <vector>

#include "fusion/image/image_graph.h"
#include "fusion/machine.h"
#include "fusion/nest_space.h"

namespace emulsion {

// Points that differ from `from` in the tiles of one group, the place of one stage, or the loops of one, the promising ones
// first: what most of the time goes to gets most of them. At most so many. Throws as decisions_at(..., `from`) does.
std::vector<Nest> suggested_points(const ImageGraph &graph, const CpuMachine &machine,
                                   const Nest &from, size_t most);

// The space in which only what changes something about what is decided at `from` may have other values, and what `free` names.
NestSpace space_around(const ImageGraph &graph, const CpuMachine &machine, const Nest &from,
                       std::set<std::string> free = {});

}  // namespace emulsion
