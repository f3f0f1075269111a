// Funcs that Halide can't store.
#pragma once

#include <Halide.h>

#include <set>
#include <string>
#include <vector>

namespace emulsion {

// Pure Funcs that have to be inlined, because the region that their readers need has no bounds that Halide
// can tell: it refuses to lower a pipeline that computes them. Found as Halide's own bounds inference
// finds it (BoundsInference.cpp), so that what is not named here can be stored, and a pipeline that
// can't be lowered with these inlined can't be lowered at all.
std::set<std::string> inline_only(const std::vector<Halide::Func> &outputs);

// `e` with calls of the named Funcs of `env` replaced by their definitions, all the way down.
Halide::Expr inline_funcs(const Halide::Expr &e, const std::set<std::string> &names,
                          const std::map<std::string, Halide::Internal::Function> &env);

}  // namespace emulsion
