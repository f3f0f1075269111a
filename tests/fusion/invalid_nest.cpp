#include "tests/fusion/invalid_nest.h"

#include "fusion/random_nest.h"

namespace emulsion::test {

Nest random_invalid_nest(const NestSpace &space, std::mt19937_64 &engine) {
    while (true) {
        Nest nest = space.preferred();
        const NestParameter &p = space.parameters.at(engine() % space.parameters.size());
        switch (engine() % 4) {
        case 0: nest.parameters.erase(p.name); break;
        case 1:
            nest.parameters[p.name] = p.domain.most + 1 + static_cast<int64_t>(engine() % 99);
            break;
        case 2:
            nest.parameters[p.name] = p.domain.least - 1 - static_cast<int64_t>(engine() % 99);
            break;
        default:
            for (const NestParameter &other : space.parameters) {
                nest.parameters[other.name] = random_value(other.domain, engine);
            }
        }
        if (!space.is_valid(nest).empty()) {
            return nest;
        }
    }
}

}  // namespace emulsion::test
