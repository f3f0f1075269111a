// Where the boxes and arrows of a drawing go: Graphviz's `dot` decides, in a process of its own with a
// limit on its time. It sees numbers and sizes only, none of the model's names.
#pragma once

#include "bench/explain/drawing.h"

namespace emulsion {

// Fills in what Drawing has after lay_out. False where that takes `dot` more than `seconds` of
// processor time, or more than `dot` can do. Throws Error, naming the package, where it is missing.
bool lay_out(Drawing &drawing, int seconds);

}  // namespace emulsion
