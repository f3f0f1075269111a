// Parts of an operator that are computed before the root's loop that needs them, reductions mostly: how one of them runs
// inside.
#pragma once

#include <cstdint>
#include <string>

#include "autoscheduler/templates/template.h"

namespace emulsion {

// Vectors of `vector` elements along what lies side by side in the memory that the update reads (dense_read.h); if that is
// not known, along the panel's variable `column`, else along the first reduction variable. An update that can't be
// computed so (its order matters) stays as it is. Of a pure definition, vectors along `column`.
void vectorize_panel(const Halide::Func &panel, const std::string &column, int vector);

// Computes the panel before everything else and stores it whole; in parallel, if `parallel`, along the
// axes that vectors do not run along.
void store_whole(const Halide::Func &panel, const std::string &column, int vector, bool parallel);

}  // namespace emulsion
