// Operators that have several implementations, and what was made of that: for those who are shown a plan.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "fusion/planner.h"
#include "fusion/problem.h"

namespace emulsion {

// The ways to compute an operator that has several.
struct OperatorChoice {
    std::string name, type;               // as users know it; ONNX operator
    std::string implementation;           // the one taken
    std::map<std::string, double> alone;  // predicted cycles by itself, by implementation
};

// Of all operators that have a choice, in the problem's order.
std::vector<OperatorChoice> choices_of(const Problem &problem, const PlannedProblem &planned);

}  // namespace emulsion
