// A compilation unit: one group of a plan, with everything that its machine code depends on and
// nothing else. Its JSON text is canonical: equal groups of whatever network give equal text, and the
// text is the key of the unit cache.
#pragma once

#include <string>
#include <vector>

#include "frontend/graph/graph.h"
#include "fusion/plan.h"

namespace emulsion {

// A tensor that a unit reads or writes through a buffer argument.
struct UnitArgument {
    TensorId tensor = kNoTensor;  // of Unit::graph
    Layout layout;
};

struct Unit {
    // The group's nodes as a graph of its own. Names are canonical: nodes m0_op, m1_op, ...; tensors
    // tensor0_data, .... Only constants of one element and compile-time operands carry their data.
    Graph graph;
    std::vector<UnitArgument> inputs;  // buffer arguments, in order; then the output
    UnitArgument output;
    Plan plan;           // of exactly one group, for the plugin; empty for a conversion
    std::string target;  // resolved Halide target, with features (no_runtime, user_context, ...)
    bool checked = false;
};

// Canonical JSON text and back. Parsing throws Error.
std::string to_json(const Unit &unit);
Unit unit_from_json(const std::string &text);

// "u" and 32 hex digits: hash of the canonical text and of the compiler's version. Also the name of
// the unit's function.
std::string unit_key(const Unit &unit);

// Lowers `unit`, applies its plan through the Gao2025 plugin and writes an object file with one
// extern "C" function named unit_key(unit): int(void *user_context, halide_buffer_t *inputs...,
// halide_buffer_t *output). Also writes PATH.stmt / PATH.s beside it where asked. To be called in a
// process that has made no Funcs before, so that names (and bytes) do not depend on history.
struct UnitOutputs {
    std::string object;     // path
    std::string statement;  // path or empty: lowered statement as text
    std::string assembly;   // path or empty
    std::string schedule;   // path or empty: Halide schedule calls as C++ text
};
void compile_unit(const Unit &unit, const UnitOutputs &outputs);

}  // namespace emulsion
