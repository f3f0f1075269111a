// Halide's complaints as ours: its exceptions are no std::exception, and nobody above expects them.
#pragma once

#include <Halide.h>

#include <algorithm>
#include <string>

#include "frontend/graph/graph.h"

namespace emulsion {

// What `work` returns. Where Halide complains about the Funcs of `node`, throws an Error that says so:
// a failure, for whatever an operator's check lets through Halide should take.
template<typename Work>
auto without_halide_errors(const Node &node, const Work &work) {
    try {
        return work();
    } catch (const Halide::Error &error) {
        std::string text = error.what();
        std::replace(text.begin(), text.end(), '\n', ' ');
        throw failure("Halide does not accept its Funcs: " + text, node.place());
    }
}

}  // namespace emulsion
