// Convolutions and matrix products on a GPU.
#include "autoscheduler/templates/support/contraction.h"
#include "autoscheduler/templates/support/gpu_tile_choice.h"

namespace emulsion {

namespace {

std::optional<NestOffer> offer(const NestSubject &subject) {
    const auto roles = contraction_roles(subject);
    if (!roles) {
        return std::nullopt;
    }
    NestOffer offer;
    offer.space = gpu_tile_space("gpu_contraction", contraction_workgroups(subject, *roles));
    like_columns_innermost(subject, *roles, offer);
    like_channels_innermost(*roles, offer);
    return offer;
}

}  // namespace

const NestTemplate &nest_template_gpu_contraction() {
    static const NestTemplate t{
        "gpu_contraction",
        "sums of products on a GPU: a tile of them in each thread's registers",
        10,
        offer,
        apply_gpu_tile,
        true,
        smaller_gpu_tile};
    return t;
}

}  // namespace emulsion
