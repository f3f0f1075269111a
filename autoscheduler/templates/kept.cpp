// The user's own schedule: nothing is changed.
#include "autoscheduler/templates/template.h"

namespace emulsion {

const NestTemplate &nest_template_kept() {
    static const NestTemplate t{
        "kept",
        "loops that the pipeline's author scheduled: as they are",
        120,
        [](const NestSubject &) -> std::optional<NestOffer> { return std::nullopt; },
        [](const NestFuncs &, const Nest &) {},
        [](const NestFuncs &) { return NestSpace(); }};
    return t;
}

}  // namespace emulsion
