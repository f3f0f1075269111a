// The definitions of a Func, with everything that they evaluate.
#pragma once

#include <Halide.h>

#include <set>
#include <string>
#include <vector>

namespace emulsion {

// The pure definition of a Func or one of its updates, with what it does under specialisations.
struct FuncDefinition {
    // Values, where it writes, and the conditions of its reduction domain.
    std::vector<Halide::Expr> expressions;
    // Values and where it writes as bounds inference looks at them: each under the conditions of the
    // reduction domain, with branches for selects.
    std::vector<Halide::Expr> guarded;
    std::vector<Halide::Expr> args;  // of an update: where it writes; else empty
    std::vector<Halide::Internal::ReductionVariable> reduced;
};

// The pure one first; none of a Func that the user's code computes.
std::vector<FuncDefinition> definitions_of(const Halide::Internal::Function &f);

// Names of the Funcs that evaluating `e` reads.
std::set<std::string> funcs_read_by(const Halide::Expr &e);

}  // namespace emulsion
