// What makes two operators cost the same.
#pragma once

#include <string>

#include "fusion/operator_graph.h"

namespace emulsion {

// Equal for operators that are priced alike in every group, whatever the names are and whichever values they read:
// bytes of everything else that an OperatorGraph says of them. A field that is added to one of its types doesn't
// compile here until it is said whether prices may depend on it.
std::string price_key(const OperatorGraph &graph, const PlannerOperator &op);

}  // namespace emulsion
