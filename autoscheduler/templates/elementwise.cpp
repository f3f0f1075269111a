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
    static const NestTemplate t{"elementwise",
                                "pure definitions: vectors along one axis",
                                55,
                                offer_elementwise,
                                apply_rows,
                                rows_bounds,
                                false,
                                scalar_rows,
                                rows_panel};
    return t;
}

}  // namespace emulsion
