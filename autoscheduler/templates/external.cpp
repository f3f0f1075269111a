// Code of the user's (define_extern): stored whole, one call.
#include "autoscheduler/templates/template.h"

namespace emulsion {

const NestTemplate &nest_template_external() {
    static const NestTemplate t{
        "external",
        "code of the user's: one call for everything",
        110,
        [](const NestSubject &) -> std::optional<NestOffer> { return std::nullopt; },
        [](const NestFuncs &, const Nest &) {},
        [](const NestFuncs &) { return NestSpace(); }};
    return t;
}

}  // namespace emulsion
