#include "fusion/random_nest.h"

#include <cmath>

namespace emulsion {

namespace {

constexpr int kRounds = 2;
constexpr int kTries = 8;  // of every parameter
// One value in so many is one of the two least: flags, axes, and sizes that change what kind of loop it is.
constexpr uint64_t kLeastOneIn = 4;

}  // namespace

int64_t random_value(const NestDomain &domain, std::mt19937_64 &engine) {
    if (engine() % kLeastOneIn == 0) {
        return engine() % 2 == 0 ? domain.least : domain.at_most(domain.least + 1);
    }
    const double span = std::log2(static_cast<double>(domain.most - domain.least) + 1.0);
    const double part = std::generate_canonical<double, 30>(engine);
    return domain.at_most(domain.least + std::llround(std::exp2(span * part)) - 1);
}

Nest random_nest(const NestSpace &space, const Nest &from, std::mt19937_64 &engine) {
    Nest nest = from;
    for (int round = 0; round < kRounds; round++) {
        for (const NestParameter &p : space.parameters) {
            for (int tries = 0; tries < kTries; tries++) {
                Nest next = nest;
                next.parameters[p.name] = random_value(p.domain, engine);
                if (p.is_optional && engine() % kLeastOneIn != 0) {
                    next.parameters.erase(p.name);
                }
                if (space.is_valid(next).empty()) {
                    nest = next;
                    break;
                }
            }
        }
    }
    return nest;
}

}  // namespace emulsion
