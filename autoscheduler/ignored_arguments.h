// Funcs that do not depend on all of their arguments.
#pragma once

#include <set>
#include <string>

#include "autoscheduler/regions.h"

namespace emulsion {

// Pure Funcs that ignore an argument, were all pure Funcs inlined, and are given one that reads another Func: h in
// h(f(x), y), where h(x, y) = g(y). Once h is inlined, nobody reads f there, and Halide fails where it is stored for
// no other reader, or computed in its loops.
std::set<std::string> funcs_ignoring_reads(const Regions &regions);

}  // namespace emulsion
