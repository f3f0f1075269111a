// Which workgroups and register tiles a loop nest of a GPU kernel may have: a small model of one compute unit
// says how many cycles each takes, and which are not worth considering. What else a kernel waits for (caches,
// memory, too few workgroups) is the cost model's to know (fusion/cost/gpu_price.h).
#pragma once

#include <vector>

#include "autoscheduler/templates/support/gpu_tile.h"
#include "autoscheduler/templates/support/roles.h"

namespace emulsion {

// Each returns several, the one that would be best for a kernel of this operator alone first; never none.

// A sum of products whose columns only one operand has.
std::vector<Workgroup> contraction_workgroups(const NestSubject &subject,
                                              const ReductionRoles &roles);
// A reduction whose columns are independent.
std::vector<Workgroup> lanewise_workgroups(const NestSubject &subject, const ReductionRoles &roles);
// Pure definitions.
std::vector<Workgroup> elementwise_workgroups(const NestSubject &subject);
// Reductions of whole rows, with a row for each workgroup.
std::vector<Workgroup> row_workgroups(const NestSubject &subject);

}  // namespace emulsion
