// Reductions that leave out steps.
#pragma once

#include "autoscheduler/templates/template.h"

namespace emulsion {

// Of the steps that the update of `reduction`, a part of the subject, would take for all elements of the result, the share
// for which its conditions hold. 1 where it has none, or of a kind that isn't understood.
double live_share(const NestSubject &subject, const FuncFacts &reduction);

}  // namespace emulsion
