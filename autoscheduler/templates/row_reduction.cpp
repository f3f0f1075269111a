// Several reductions over the same axis (softmax), or one over the innermost axis: each row's
// reductions are computed just before the row, vectors along the row.
#include <algorithm>
#include <memory>

#include "autoscheduler/templates/support/loops.h"
#include "autoscheduler/templates/support/parameters.h"
#include "autoscheduler/templates/support/rows.h"
#include "autoscheduler/templates/support/rows_model.h"

namespace emulsion {

namespace {

std::optional<NestOffer> offer_row_reduction(const NestSubject &subject) {
    const bool plain = std::all_of(subject.parts.begin(), subject.parts.end(),
                                   [](const FuncFacts &part) { return part.plain_update; });
    if (!plain || subject.natural_order.empty() || subject.result().is_reduction()) {
        return std::nullopt;
    }
    NestOffer offer_row_reduction;
    offer_row_reduction.reduction_placement = Placement::Panel;
    offer_row_reduction.space = rows_space("row_reduction", subject);
    offer_row_reduction.space.panels.is_panel = true;
    set_points(offer_row_reduction.space, std::make_shared<RowsModel>(subject), subject.machine);
    return offer_row_reduction;
}

}  // namespace

const NestTemplate &nest_template_row_reduction() {
    static const NestTemplate t{"row_reduction",
                                "reductions of a row computed before the row",
                                60,
                                offer_row_reduction,
                                apply_rows,
                                rows_bounds,
                                false,
                                scalar_rows,
                                rows_panel};
    return t;
}

}  // namespace emulsion
