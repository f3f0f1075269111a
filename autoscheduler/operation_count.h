// What the expressions of a definition cost, about, and what decides between them.
#pragma once

#include <Halide.h>

#include <string>
#include <vector>

namespace emulsion {

// Vector operations to evaluate `e` once, without loads, and without addresses but for indices that are made of what is
// loaded; what occurs twice counts once. A choice between expressions (mux) counts as one of them.
double count_operations(const Halide::Expr &e);
// Of these, those of parts of `e` whose value doesn't depend on `variable`.
double count_operations_without(const Halide::Expr &e, const std::string &variable);

// Whether the value of `variable` decides which of several expressions is evaluated (mux, or a select
// on it alone being equal to a constant).
bool decides_branches(const std::vector<Halide::Expr> &expressions, const std::string &variable);

}  // namespace emulsion
