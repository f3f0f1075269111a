// Where the expressions of a definition read.
#pragma once

#include <Halide.h>

#include <map>
#include <string>
#include <vector>

#include "fusion/image/image_graph.h"

namespace emulsion {

// By what is read (Funcs and inputs, not `self`): the taps, the size of an element, and whether reads are
// gathers. `args` are the pure variables of the reader, the first one that of its columns.
std::map<std::string, ImageRead> reads_of(const std::string &self,
                                          const std::vector<std::string> &args,
                                          const std::vector<Halide::Expr> &expressions);

}  // namespace emulsion
