// Along what a reduction reads memory one element after the other.
#pragma once

#include <Halide.h>

#include <string>
#include <vector>

namespace emulsion {

struct DenseRead {
    // The variable of the Func (an axis of it or a reduction variable) whose steps go from one element to its neighbour in
    // memory; "" if none is known to.
    std::string variable;
    // If it is a reduction variable: that one and those that together with it walk elements that lie one behind the other,
    // the fastest first.
    std::vector<std::string> loops;
};

// Of the update of `func`: of the buffer of the highest rank that it reads, directly or through pure Funcs.
DenseRead dense_read(const Halide::Func &func);

}  // namespace emulsion
