// Updates that may be computed in parts, in any order: sums, products, largest and smallest values.
#pragma once

#include <Halide.h>

#include <string>
#include <vector>

#include "autoscheduler/definitions.h"

namespace emulsion {

// Whether the only update of `f` adds up one value per element, or adds values where data say (a histogram), all over
// its reduction domain, by an operator that is associative and commutative. (Ties of an argmax, a tuple, would be decided
// otherwise; and a condition of the domain would be tested for every lane.)
bool adds_up_in_parts(const Halide::Internal::Function &f);

// Whether it does for every element by itself, so that partial sums of an element may be the lanes of a vector.
bool adds_up_in_lanes(const Halide::Internal::Function &f);

// The reduction loop of the definition that walks along the innermost axis of all that is read and depends on it:
// index into source.reduced, -1 if there is none.
int contiguous_loop(const std::string &self, const std::vector<std::string> &args,
                    const FuncDefinition &source);

}  // namespace emulsion
