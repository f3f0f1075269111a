// Where the expressions of a definition read.
#pragma once

#include <Halide.h>

#include <string>
#include <utility>
#include <vector>

#include "fusion/image/image_graph.h"

namespace emulsion {

// By the name of what is read, in the order of reading.
using NamedReads = std::vector<std::pair<std::string, ImageRead>>;

// Of Funcs and inputs, not of `self`: the taps, the size of an element, and whether reads are gathers. `args` are the
// variables of the reader, the first one that of its columns.
NamedReads reads_of(const std::string &self, const std::vector<std::string> &args,
                    const std::vector<Halide::Expr> &expressions);

// Whether evaluating `e` reads a Func or an input.
bool reads_something(const Halide::Expr &e);

}  // namespace emulsion
