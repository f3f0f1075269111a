// Depthwise convolution: vectors of channels, the taps unrolled, a few neighbouring columns at a time
// so that what they read in common is read once.
#include "autoscheduler/templates/support/contraction.h"
#include "autoscheduler/templates/support/register_tile.h"

namespace emulsion {

namespace {

std::optional<NestOffer> offer_depthwise(const NestSubject &subject) {
    const auto roles = lanewise_roles(subject);
    if (!roles || !(roles->windowed && !roles->weights.empty())) {
        return std::nullopt;
    }
    // Groups of several channels: a vector of results of several groups would gather what it reads.
    if (roles->channels > 1) {
        return std::nullopt;
    }
    return offer_lanewise("depthwise", subject, *roles);
}

}  // namespace

const NestTemplate &nest_template_depthwise() {
    static const NestTemplate t{
        .name = "depthwise",
        .description = "depthwise convolution: vectors of channels",
        .rank = 30,
        .offer = offer_depthwise,
        .apply = apply_register_tile,
        .bounds = register_tile_bounds,
        .smaller = smaller_register_tile,
        .panel_block = register_tile_panel,
        .version = 2,
    };
    return t;
}

}  // namespace emulsion
