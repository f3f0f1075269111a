// A reduction over whole axes: vectors along an axis that stays, accumulators in registers while the
// reduced axes are walked.
#include "autoscheduler/templates/support/contraction.h"
#include "autoscheduler/templates/support/register_tile.h"

namespace emulsion {

namespace {

std::optional<NestOffer> offer(const NestSubject &subject) {
    const auto roles = lanewise_roles(subject);
    if (!roles || !(!roles->windowed)) {
        return std::nullopt;
    }
    return offer_lanewise("reduction", subject, *roles);
}

}  // namespace

const NestTemplate &nest_template_reduction() {
    static const NestTemplate t{
        "reduction", "sums and the like over whole axes: vectors along an axis that stays", 50,
        offer, apply_register_tile};
    return t;
}

}  // namespace emulsion
