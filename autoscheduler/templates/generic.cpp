// What nothing else fits: every reduction is stored whole, the outermost loops are parallel, vectors run
// along what lies side by side in memory where the order of an update allows it. Slow and always right.
#include <memory>

#include "autoscheduler/templates/support/panel.h"
#include "autoscheduler/templates/support/parameters.h"
#include "autoscheduler/templates/support/rows.h"
#include "autoscheduler/templates/support/rows_model.h"

namespace emulsion {

namespace {

std::optional<NestOffer> offer_generic(const NestSubject &subject) {
    NestOffer offer_generic;
    offer_generic.reduction_placement = Placement::Panel;
    offer_generic.space = rows_space("generic", subject);
    set_points(offer_generic.space, std::make_shared<RowsModel>(subject, false), subject.machine);
    return offer_generic;
}

void apply_generic(const NestFuncs &funcs, const Nest &nest) {
    const int vector = rows_vector(nest);
    for (const Halide::Func &panel : funcs.panels) {
        store_whole(panel, "", vector, rows_tasks(nest) > 1);
    }
    NestFuncs alone = funcs;
    alone.panels.clear();
    apply_rows(alone, nest);
}

}  // namespace

const NestTemplate &nest_template_generic() {
    static const NestTemplate t{
        .name = "generic",
        .description = "anything: reductions stored whole, one parallel loop",
        .rank = 100,
        .offer = offer_generic,
        .apply = apply_generic,
        .bounds = rows_bounds,
        .smaller = scalar_rows,
        .takes_everything = true,
        .version = 3,
    };
    return t;
}

}  // namespace emulsion
