// Scalars that a kernel for OpenCL makes vectors of in several widths.
//
// Halide remembers the variable that it has written a broadcast into by the name of the scalar alone: where the same
// scalar is broadcast again with other lanes, it takes that variable, and the text doesn't compile.
#pragma once

#include <Halide.h>

namespace emulsion {

// Broadcasts of such scalars are written lane by lane, and so are those that casts of masks to numbers stand for.
Halide::Internal::Stmt with_distinct_broadcasts(const Halide::Internal::Stmt &statement);

}  // namespace emulsion
