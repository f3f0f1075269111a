// What a Func reads and how: the facts that mapping types and loop-nest templates are derived from.
// Everything comes from index expressions; nothing from names.
#pragma once

#include <Halide.h>

#include <cstdint>
#include <set>
#include <string>
#include <vector>

#include "fusion/element_type.h"

namespace emulsion {

// One call of a Func, input or buffer in a definition.
struct TensorAccess {
    std::string callee;
    std::vector<Halide::Expr> args;
    bool in_update = false;
    ElementType type{};  // of what is read
};

// A reduction variable of the update.
struct ReductionLoop {
    std::string name;
    int64_t extent = -1;  // -1 if it is no constant
    bool window = false;  // it is added to a pure variable in some index (a tap of a window)
};

struct FuncFacts {
    std::string name;
    std::vector<std::string> args;  // pure variables, by dimension
    std::vector<TensorAccess> accesses;
    std::vector<ReductionLoop> reduction;  // empty for a pure Func
    int updates = 0;
    bool plain_update = true;           // the update writes at the pure variables themselves
    std::vector<Halide::Expr> written;  // where the first update writes, by dimension
    // It reads other elements of the Func than the one that it writes. (`scans` also holds where Halide has named parts of
    // indices, so that they look different.)
    bool reads_others = false;
    // Of what has no axes: its only update takes its steps in any order, each once (autoscheduler/partial_sums.h).
    bool adds_up = false;
    std::set<int> window_axes;  // axes whose variable shares an index with a reduction variable
    ElementType type{};         // of an element; of a reduction, what it accumulates in
    double operations = 0.0,
           update_operations = 0.0;  // of one element and of one step of the update
    bool scans = false;              // the update reads the Func itself elsewhere than it writes
    bool copies = false;             // a pure definition that is one read and nothing else
    std::vector<Halide::Expr>
        conditions;  // of its updates' steps: where one doesn't hold, nothing is done
    // By what its definitions choose one of several expressions (Halide's mux): where these are constants, one remains.
    std::vector<Halide::Expr> selectors;

    bool is_reduction() const { return updates > 0; }
    // Names of the tensors read, each once, in the order of first reading; and of those that the update reads: a
    // contraction sums products of two.
    std::vector<std::string> callees() const;
    std::vector<std::string> summed() const;
    // Axes (dimensions of this Func) whose pure variable occurs in an access of `callee` in the update.
    std::set<int> axes_read(const std::string &callee) const;
    // Axes that occur in accesses of `callee` only below a division or a modulo.
    std::set<int> axes_divided(const std::string &callee) const;
    // True if an update's index of `callee` mixes pure and reduction variables.
    bool reads_window(const std::string &callee) const;
};

// `e` with every choice of a constant (mux) replaced by 0: what is left tells along which variables an index moves on.
Halide::Expr without_choices(const Halide::Expr &e);

// What isn't a number (a handle) counts as an unsigned one.
ElementType element_type_of(const Halide::Type &type);

// Whether an update of Func `name` reads that Func elsewhere than it writes.
bool is_scan(const std::string &name, const Halide::Internal::Definition &update);

// `wrappers` are looked through: their definitions take the place of their calls.
FuncFacts func_facts(const Halide::Internal::Function &function,
                     const std::vector<Halide::Internal::Function> &wrappers = {});

// True for a pure Func that only reads other tensors, perhaps at clamped coordinates or with a value
// for the outside: what Halide makes of inputs and boundary conditions. Such Funcs are inlined
// without asking what that costs, and plans need not name them.
bool is_wrapper(const Halide::Internal::Function &function);

// `e` with calls of `wrappers` (callees before callers) replaced by their definitions.
Halide::Expr inline_wrappers(const Halide::Expr &e,
                             const std::vector<Halide::Internal::Function> &wrappers);

}  // namespace emulsion
