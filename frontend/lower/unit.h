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
    Plan plan;           // of exactly one group, for the plugin
    std::string target;  // resolved Halide target, with features (no_runtime, user_context, ...)
    std::vector<std::string> chips;  // AMD GPUs that its kernels are compiled for
    bool checked = false;
};

// Canonical JSON text and back. Parsing throws Error.
std::string to_json(const Unit &unit);
Unit unit_from_json(const std::string &text);

// "u" and 32 hex digits: hash of the canonical text and of the compiler's version. Also the name of
// the unit's function.
std::string unit_key(const Unit &unit);

}  // namespace emulsion
