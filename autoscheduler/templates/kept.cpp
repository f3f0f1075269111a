// The user's own schedule: nothing is changed.
#include "autoscheduler/templates/template.h"

namespace emulsion {

const NestTemplate &nest_template_kept() {
    static const NestTemplate t{
        .name = "kept",
        .description = "loops that the pipeline's author scheduled: as they are",
        .rank = 120,
        .offer = [](const NestSubject &) -> std::optional<NestOffer> { return std::nullopt; },
        .apply = [](const NestFuncs &, const Nest &) {},
        .bounds = [](const NestFuncs &) { return NestSpace(); },
    };
    return t;
}

}  // namespace emulsion
