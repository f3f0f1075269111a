#include "fusion/nest.h"

namespace emulsion {

Nest NestSpace::preferred() const {
    Nest nest{template_name, {}};
    for (const NestParameter &p : parameters) {
        nest.parameters[p.name] = p.preferred;
    }
    return nest;
}

}  // namespace emulsion
