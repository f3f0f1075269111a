// Where the largest or smallest of several elements is.
#pragma once

#include <functional>
#include <vector>

#include "frontend/ops/operator.h"

namespace emulsion {

enum class Extreme { Largest, Smallest };

// One of the elements, in terms of new reduction variables: its position, and whether it counts
// (undefined: it does).
struct Candidate {
    Halide::Expr element;
    Halide::Expr position;  // i32, 0 .. count-1
    Halide::Expr counts{};
};

// The position of the extreme among the candidates, one for every value of `kept`; of equal elements (as are 0
// and -0) the first, or the last. `candidate` is called once for every reduction.
Halide::Expr position_of_extreme(OperatorContext &context, const std::vector<Halide::Var> &kept,
                                 const std::function<Candidate()> &candidate, int count,
                                 Extreme extreme, bool last);

}  // namespace emulsion
