// Constants that lie in blocks of as many columns as a loop nest computes at once.
#pragma once

#include <vector>

#include "fusion/operator_graph.h"
#include "fusion/plan.h"

namespace emulsion {

// The layout of a constant operand as a nest of that space reads it: Operand::constant_layout, with the blocks of this
// nest.
Layout constant_layout(const Operand &operand, const NestSpace &space, const Nest &nest);

// The layouts of a compute group's inputs as its nests read them; `graph` is that of its members. Throws Error where two
// of its stages read one constant in different blocks: it is one argument of the group's code.
std::vector<Layout> input_layouts(const Plan &plan, const OperatorGraph &graph,
                                  const PlannedGroup &group);

// Whether another operator of the group reads a constant, too, that this member reads in blocks.
bool shares_blocks(const OperatorGraph &graph, const PlannedGroup &group,
                   const PlannedMember &member);

// Has all constants lie as the nests of the groups read them. What groups read in different layouts becomes several planned
// values, the further ones behind all others.
void lay_out_constants(Plan &plan, const OperatorGraph &graph);

}  // namespace emulsion
