// Depthwise convolutions, pools and sums over whole axes on a GPU.
#include "autoscheduler/templates/support/contraction.h"
#include "autoscheduler/templates/support/gpu_tile_choice.h"

namespace emulsion {

namespace {

std::optional<NestOffer> offer(const NestSubject &subject) {
    const auto roles = lanewise_roles(subject);
    if (!roles || roles->reduction->args.size() != subject.extents.size() ||
        (roles->column_axis < 0)) {
        return std::nullopt;
    }
    NestOffer offer;
    offer.space = gpu_tile_space("gpu_lanewise", lanewise_workgroups(subject, *roles));
    like_columns_innermost(subject, *roles, offer);
    return offer;
}

}  // namespace

const NestTemplate &nest_template_gpu_lanewise() {
    static const NestTemplate t{
        "gpu_lanewise",
        "depthwise convolution, pooling, sums on a GPU: threads of channels",
        30,
        offer,
        apply_gpu_tile,
        true,
        smaller_gpu_tile};
    return t;
}

}  // namespace emulsion
