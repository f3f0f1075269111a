// Reductions that are computed before the root's loop that needs them: how one of them runs inside.
#pragma once

#include <cstdint>
#include <string>

#include "autoscheduler/templates/template.h"

namespace emulsion {

// The variable of `panel` (an axis of it or a reduction variable) along which what its update reads lies
// one element beside the other in memory, as far as that is known: "" if it is not.
std::string contiguous_variable(const Halide::Func &panel);

// Vectors of `vector` elements along that variable; if it is not known, along the panel's variable
// `column`, else along the first reduction variable. An update that can't be computed so (its order
// matters) stays as it is.
void vectorize_panel(const Halide::Func &panel, const std::string &column, int vector);

// Computes the panel before everything else and stores it whole; in parallel, if `parallel`, along the
// axes that vectors do not run along.
void store_whole(const Halide::Func &panel, const std::string &column, int vector, bool parallel);

}  // namespace emulsion
