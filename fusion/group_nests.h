// The loop nests of a group as a single one: a group is tuned as a whole, since what one of its stages computes at a time
// is what another one reads.
#pragma once

#include <string>
#include <vector>

#include "fusion/machine.h"
#include "fusion/nest_space.h"
#include "fusion/operator_graph.h"
#include "fusion/plan.h"

namespace emulsion {

// Of a group with one stage, that stage's nest. Of several, "reduction+convolution" with parameters "0.vector",
// "1.vector", ..., where the number is the stage. Empty for a group without any.
Nest group_nest(const PlannedGroup &group);

// A stage's nest in a group.
struct StageNest {
    std::string op;  // that has it
    std::string
        prefix;  // of its parameters in the group's nest: "1.", or "" where there is one stage
    Nest nest;
};

// In the order of the stages; the last one stores the group's result.
std::vector<StageNest> stage_nests(const PlannedGroup &group);

// The nest that `nest`, of a group, has for the stage of that template whose parameters have that prefix.
Nest part_of(const Nest &nest, const std::string &prefix, const std::string &template_name);

// Gives the stages of a group the nests that `nest`, a point of its space, has for them.
void set_group_nest(PlannedGroup &group, const Nest &nest);

// The nests that a group, whose members are operators of `graph`, may have where every stage is computed where it is
// planned to be. The planned nest is one of them. What changes nothing there has the planned value only, and so has
// all of a stage's nest that its operator is not offered.
NestSpace group_space(const OperatorGraph &graph, const PlannedGroup &group);

// Points of the group's space to measure beside the planned one, the promising ones first: what the machine suggests for
// one stage at a time (NestModel::suggest), on a GPU what the planner has chosen from; its stages in turns.
std::vector<Nest> suggested_nests(const OperatorGraph &graph, const PlannedGroup &group,
                                  const Machine &machine);

}  // namespace emulsion
