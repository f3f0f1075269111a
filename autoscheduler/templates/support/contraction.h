// What the templates of contractions (convolution, matrix product) offer.
#pragma once

#include "autoscheduler/templates/support/roles.h"
#include "autoscheduler/templates/template.h"

namespace emulsion {

// A contraction over windows, or over two axes of rows (an image): what a convolution looks like.
bool is_convolution(const ReductionRoles &roles);

NestOffer offer_contraction(const std::string &template_name, const NestSubject &subject,
                            const ReductionRoles &roles);

// Layouts that a reduction likes whose vectors run along its columns: these innermost in the result, and in
// what is read along them, the weights among that. And the data that a contraction walks element by element:
// its channels innermost, so that these reads are of one cache line.
void like_columns_innermost(const NestSubject &subject, const ReductionRoles &roles,
                            NestOffer &offer);
void like_channels_innermost(const ReductionRoles &roles, NestOffer &offer);

// What the templates of lanewise reductions (depthwise convolution, pooling, sums) offer.
NestOffer offer_lanewise(const std::string &template_name, const NestSubject &subject,
                         const ReductionRoles &roles);

// The dimension of `tensor` whose index `name` occurs in, in the first access that has one, or -1.
int dimension_read_by(const FuncFacts &facts, const std::string &tensor, const std::string &name);

}  // namespace emulsion
