// What nothing else fits: every reduction is stored whole, the outermost loop is parallel, vectors
// run along one axis of what is pure. Slow and always right.
#include "autoscheduler/templates/support/loops.h"
#include "autoscheduler/templates/support/parameters.h"
#include "autoscheduler/templates/support/rows.h"

namespace emulsion {

namespace {

std::optional<NestOffer> offer(const NestSubject &subject) {
    NestOffer offer;
    offer.reduction_placement = Placement::Panel;
    const int axis = subject.natural_order.empty() ? 0 : subject.natural_order.back();
    offer.space = rows_space("generic", subject, axis);
    return offer;
}

void apply(const NestFuncs &funcs, const Nest &nest) {
    for (const Halide::Func &panel : funcs.panels) {
        Halide::Func f = panel;
        f.compute_root();
    }
    NestFuncs alone = funcs;
    alone.panels.clear();
    apply_rows(alone, nest);
}

}  // namespace

const NestTemplate &nest_template_generic() {
    static const NestTemplate t{"generic", "anything: reductions stored whole, one parallel loop",
                                100, offer, apply};
    return t;
}

}  // namespace emulsion
