// A small image graph: a chain of blurs along columns.
#pragma once

#include <string>

#include "fusion/image/image_graph.h"
#include "fusion/machine.h"

namespace emulsion {

// A stage of floats that reads the last one, or an input, at three rows.
void add_blur_of_rows(ImageGraph &graph, const std::string &name);

// "first", "second", "third", "out", of 1024 x 768.
ImageGraph chain_of_row_blurs();

// With vectors of 32 bytes.
CpuMachine machine_of_two_threads();

}  // namespace emulsion
