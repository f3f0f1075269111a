// Einsum's equation.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "frontend/ops/operator.h"

namespace emulsion {

// A subscript: the character of a letter, or -1, -2, ... for the axes that "..." stands for, from the last
// one on, so that equal labels are broadcast to each other.
using Label = int;

struct Equation {
    std::vector<std::vector<Label>> operands;  // one label per axis; may repeat
    std::vector<Label> result;                 // distinct
    std::map<Label, int64_t> extents;

    std::vector<int64_t> extents_of(const std::vector<Label> &labels) const;
};

// Attribute equation with the shapes of the node's operands. Throws Error naming what is wrong with it.
Equation parse_equation(const OperatorContext &context);

// The labels of a product of factors with `left` and `right` that anything outside of it needs: those
// that are in `needed`. In the order of `needed`, then as they come.
struct Contraction {
    std::vector<Label> kept, summed;
};

// How to compute an equation of n operands in n - 1 products (one of a single operand): the first two,
// then the product so far and the next operand. A label is summed in the first product after which
// nothing needs it. The last one keeps the labels of the result.
std::vector<Contraction> contractions(const Equation &equation);

}  // namespace emulsion
