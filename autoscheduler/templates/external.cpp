// Code of the user's (define_extern): stored whole, one call.
#include "autoscheduler/templates/template.h"

namespace emulsion {

const NestTemplate &nest_template_external() {
    static const NestTemplate t{
        .name = "external",
        .description = "code of the user's: one call for everything",
        .rank = 110,
        .offer = [](const NestSubject &) -> std::optional<NestOffer> { return std::nullopt; },
        .apply = [](const NestFuncs &, const Nest &) {},
        .bounds = [](const NestFuncs &) { return NestSpace(); },
    };
    return t;
}

}  // namespace emulsion
