#include "autoscheduler/templates/support/own_sums.h"

#include <algorithm>

#include "autoscheduler/templates/support/definition_loops.h"
#include "autoscheduler/templates/support/parameters.h"

namespace emulsion {

namespace {

using Halide::Func;
using Rule = NestConstraint::Rule;

// One update that adds to every element by itself, of a Func that others read.
bool has_own_sums(const NestFuncs &funcs) {
    const Func &f = funcs.root;
    if (funcs.is_output || f.num_update_definitions() != 1 || f.dimensions() == 0 ||
        !f.function().schedule().bounds().empty()) {
        return false;
    }
    const DefinitionLoops update(f, 1);
    bool all_free = !update.reduced().empty() && !update.is_scan();
    for (int axis = 0; axis < f.dimensions(); axis++) {
        all_free = all_free && update.is_free(axis);
    }
    return all_free;
}

}  // namespace

void add_own_sums(const NestFuncs &funcs, NestSpace &space) {
    space.parameters.push_back(count_parameter("own_sums", "", 0, has_own_sums(funcs) ? 1 : 0));
    space.parameters.back().is_optional = true;
    for (const auto &[name, most] : {std::pair{"sweep", 0}, std::pair{"transposes", 0},
                                     std::pair{"lanes", 1}, std::pair{"share", 0}}) {
        space.constraints.push_back({Rule::ProductAtMost,
                                     {name},
                                     most,
                                     "stores sums by another Func, which has one definition",
                                     std::pair{"own_sums", 1}});
    }
}

}  // namespace emulsion
