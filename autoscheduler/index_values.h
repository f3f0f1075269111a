// Funcs whose values are indices.
#pragma once

#include <Halide.h>

#include <map>
#include <set>
#include <string>
#include <vector>

namespace emulsion {

// Pure Funcs with a bitwise exclusive or of signed integers that others read for an index, perhaps through pure Funcs.
// Once they are inlined there, Halide leaves out the lower end of a clamp of it where it is not negative anyway, and
// then finds no lower bound of what the index reads. `order`: of all Funcs of `env`, producers first.
std::set<std::string>
index_values_without_bounds(const std::map<std::string, Halide::Internal::Function> &env,
                            const std::vector<std::string> &order);

}  // namespace emulsion
