// Funcs that do not depend on all of their arguments.
#pragma once

#include <Halide.h>

#include <map>
#include <set>
#include <string>
#include <vector>

namespace emulsion {

// Pure Funcs that ignore an argument, were all pure Funcs inlined, and are given one that reads another Func: h in
// h(f(x), y), where h(x, y) = g(y). Once h is inlined, nobody reads f there, and Halide fails where it is stored for
// no other reader, or computed in its loops. `order`: of all Funcs of `env`, producers first.
std::set<std::string>
funcs_ignoring_reads(const std::map<std::string, Halide::Internal::Function> &env,
                     const std::vector<std::string> &order);

}  // namespace emulsion
