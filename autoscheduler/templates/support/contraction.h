// What the templates of contractions (convolution, matrix product) offer.
#pragma once

#include "autoscheduler/templates/support/roles.h"
#include "autoscheduler/templates/template.h"

namespace emulsion {

// A contraction over windows, or over two axes of rows (an image): what a convolution looks like.
bool is_convolution(const ReductionRoles &roles);

NestOffer offer_contraction(const std::string &template_name, const NestSubject &subject,
                            const ReductionRoles &roles);

// What the templates of lanewise reductions (depthwise convolution, pooling, sums) offer.
NestOffer offer_lanewise(const std::string &template_name, const NestSubject &subject,
                         const ReductionRoles &roles);

}  // namespace emulsion
