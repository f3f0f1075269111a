// Rows with reductions over them (softmax, normalisations) on a GPU: a workgroup for each.
#include <algorithm>

#include "autoscheduler/templates/support/gpu_tile_choice.h"

namespace emulsion {

namespace {

// Whether all reductions lack the row's axis, so that a workgroup computes what it needs of each.
bool reduces_rows(const NestSubject &subject) {
    const std::string &column =
        subject.result().args[static_cast<size_t>(subject.natural_order.back())];
    return std::none_of(subject.parts.begin(), subject.parts.end(), [&](const FuncFacts &part) {
        return part.is_reduction() &&
               std::find(part.args.begin(), part.args.end(), column) != part.args.end();
    });
}

std::optional<NestOffer> offer(const NestSubject &subject) {
    const bool plain = std::all_of(subject.parts.begin(), subject.parts.end(),
                                   [](const FuncFacts &part) { return part.plain_update; });
    if (!plain || subject.natural_order.empty() || subject.result().is_reduction() ||
        !reduces_rows(subject)) {
        return std::nullopt;
    }
    NestOffer offer;
    offer.reduction_placement = Placement::Panel;
    offer.space = gpu_tile_space("gpu_row_reduction", row_workgroups(subject));
    offer.space.panels.is_panel = false;
    offer.innermost_axis = subject.natural_order.back();
    return offer;
}

}  // namespace

const NestTemplate &nest_template_gpu_row_reduction() {
    static const NestTemplate t{"gpu_row_reduction",
                                "reductions of a row on a GPU: a workgroup for each row",
                                60,
                                offer,
                                apply_gpu_tile,
                                true,
                                {}};
    return t;
}

}  // namespace emulsion
