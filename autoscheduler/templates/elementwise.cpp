// Pure definitions: vectors along one axis, whole rows of the outer axes in parallel.
#include <algorithm>
#include <memory>

#include "autoscheduler/templates/support/loops.h"
#include "autoscheduler/templates/support/parameters.h"
#include "autoscheduler/templates/support/rows.h"
#include "autoscheduler/templates/support/rows_model.h"

namespace emulsion {

namespace {

std::optional<NestOffer> offer_elementwise(const NestSubject &subject) {
    const bool pure = std::none_of(subject.parts.begin(), subject.parts.end(),
                                   [](const FuncFacts &part) { return part.is_reduction(); });
    if (!pure || subject.natural_order.empty()) {
        return std::nullopt;
    }
    NestOffer offer_elementwise;
    offer_elementwise.space = rows_space("elementwise", subject);
    offer_elementwise.space.crossing_parameter = "crossing_axis";
    host_panels(subject, offer_elementwise.space);
    set_points(offer_elementwise.space, std::make_shared<RowsModel>(subject), subject.machine);
    return offer_elementwise;
}

}  // namespace

const NestTemplate &nest_template_elementwise() {
    static const NestTemplate t{
        .name = "elementwise",
        .description = "pure definitions: vectors along one axis",
        .rank = 55,
        .offer = offer_elementwise,
        .apply = apply_rows,
        .bounds = rows_bounds,
        .smaller = scalar_rows,
        .panel_block = rows_panel,
        .version = 2,
    };
    return t;
}

}  // namespace emulsion
