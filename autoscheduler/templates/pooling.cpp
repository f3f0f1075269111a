// Pooling: like a depthwise convolution without weights.
#include "autoscheduler/templates/support/contraction.h"
#include "autoscheduler/templates/support/register_tile.h"

namespace emulsion {

namespace {

std::optional<NestOffer> offer_pooling(const NestSubject &subject) {
    const auto roles = lanewise_roles(subject);
    if (!roles || !(roles->windowed && roles->weights.empty())) {
        return std::nullopt;
    }
    return offer_lanewise("pooling", subject, *roles);
}

}  // namespace

const NestTemplate &nest_template_pooling() {
    static const NestTemplate t{
        .name = "pooling",
        .description = "maximum or sum over windows: vectors of channels",
        .rank = 40,
        .offer = offer_pooling,
        .apply = apply_register_tile,
        .bounds = register_tile_bounds,
        .smaller = smaller_register_tile,
        .panel_block = register_tile_panel,
        .version = 2,
    };
    return t;
}

}  // namespace emulsion
