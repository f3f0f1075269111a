// Direct convolution: vectors of output channels, register blocks of columns (and rows), the input
// channels and taps of a block reduced in registers. A pointwise convolution is the case without a
// window over two axes.
#include "autoscheduler/templates/support/contraction.h"
#include "autoscheduler/templates/support/register_tile.h"

namespace emulsion {

namespace {

std::optional<NestOffer> offer_convolution(const NestSubject &subject) {
    const auto roles = contraction_roles(subject);
    if (!roles || !is_convolution(*roles)) {
        return std::nullopt;
    }
    return offer_contraction("convolution", subject, *roles);
}

}  // namespace

const NestTemplate &nest_template_convolution() {
    static const NestTemplate t{
        .name = "convolution",
        .description = "direct convolution: any kernel, stride, dilation and group",
        .rank = 10,
        .offer = offer_convolution,
        .apply = apply_register_tile,
        .bounds = register_tile_bounds,
        .smaller = smaller_register_tile,
        .panel_block = register_tile_panel,
        .version = 2,
    };
    return t;
}

}  // namespace emulsion
