// Rows that are computed side by side, beside what the loop nest `tiles` does: what they read or compute alike is read and
// computed once. And rows of what is stored that begin at whole vectors.
#pragma once

#include <Halide.h>

#include "autoscheduler/templates/template.h"
#include "fusion/nest_space.h"

namespace emulsion {

// The parameters `row_block`, of a pure stage, and `aligned`, of what is no output, both of which a nest may lack.
void add_row_blocks(const NestFuncs &funcs, NestSpace &bounds);

// Of a nest inside of such bounds that is applied.
void make_row_blocks(const NestFuncs &funcs, const Nest &nest);

}  // namespace emulsion
