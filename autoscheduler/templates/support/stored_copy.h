// What a stage computes in another form than its readers want, its sums in registers or with another axis innermost:
// another Func stores it for all of them.
#pragma once

#include <Halide.h>

namespace emulsion {

// The Func that stores `f` for all of its readers (Func::in): computed where `f` was, with its layout. It has one
// definition. `f` itself is then to be computed in its loops.
Halide::Func stored_copy(Halide::Func f);

}  // namespace emulsion
