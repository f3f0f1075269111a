// Funcs whose values are indices.
#pragma once

#include <Halide.h>

#include <map>
#include <set>
#include <string>
#include <vector>

namespace emulsion {

// Pure Funcs with a bitwise exclusive or that others read for an index, perhaps through pure Funcs. Once they are
// inlined there, Halide finds no bounds of what the index reads, even where it is clamped. `order`: of all Funcs of
// `env`, producers first.
std::set<std::string>
index_values_without_bounds(const std::map<std::string, Halide::Internal::Function> &env,
                            const std::vector<std::string> &order);

}  // namespace emulsion
