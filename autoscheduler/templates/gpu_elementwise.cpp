// Pure definitions on a GPU.
#include <algorithm>

#include "autoscheduler/templates/support/gpu_tile_choice.h"

namespace emulsion {

namespace {

std::optional<NestOffer> offer(const NestSubject &subject) {
    const bool pure = std::none_of(subject.parts.begin(), subject.parts.end(),
                                   [](const FuncFacts &part) { return part.is_reduction(); });
    if (!pure || subject.natural_order.empty()) {
        return std::nullopt;
    }
    NestOffer offer;
    offer.space = gpu_tile_space("gpu_elementwise", elementwise_workgroups(subject));
    return offer;
}

}  // namespace

const NestTemplate &nest_template_gpu_elementwise() {
    static const NestTemplate t{"gpu_elementwise",
                                "pure definitions on a GPU: threads along one axis",
                                55,
                                offer,
                                apply_gpu_tile,
                                true,
                                smaller_gpu_tile};
    return t;
}

}  // namespace emulsion
