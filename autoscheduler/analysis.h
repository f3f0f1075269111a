// From the Funcs of an operator to what the planner needs of it: mapping types of its edges, the loop
// nests that fit, the layouts they like.
#pragma once

#include <string>
#include <vector>

#include "autoscheduler/func_facts.h"
#include "fusion/machine.h"
#include "fusion/operator_graph.h"

namespace emulsion {

// A tensor that the Funcs of an operator read: the name of the Func or buffer in their expressions,
// and the planner's value that it is.
struct OperandSource {
    std::string callee;
    int value = -1;
};

// One implementation of an operator.
struct OperatorSource {
    std::string implementation;
    bool exact = true;
    std::vector<FuncFacts> parts;         // producers first, the result last
    std::vector<std::string> part_names;  // PlannedPart::part of each
    std::vector<OperandSource> operands;
    std::vector<int64_t> extents;    // of the result
    std::vector<int> natural_order;  // of its axes, outermost first
    int vector_axis = -1;   // of the result: reductions run vectors along it; -1: along any
    int64_t sum_block = 0;  // most products that are summed up one after the other; 0: all of a sum
};

// `values` are those of the operator graph that is being made.
ImplementationChoice analyze_implementation(const OperatorSource &source,
                                            const std::vector<Value> &values,
                                            const Machine &machine);

// Whether the loop nest is another one than that of the template which takes everything.
bool has_loop_nest_of_its_own(const ImplementationChoice &implementation);

// The most complex of the edges from non-constant operands.
MappingType operator_type(const ImplementationChoice &implementation,
                          const std::vector<Value> &values);

}  // namespace emulsion
