// Sums in registers: for a block of their reader, a few vectors of columns and perhaps a few rows, one beside the other,
// so that none waits for itself and what all of them need is loaded once.
#pragma once

#include "autoscheduler/templates/template.h"

namespace emulsion {

struct SumBlock {
    int vector = 1, columns = 1;  // elements of a vector, and of the block along the first axis
    int row_axis = -1, rows = 1;  // the block's other axis, -1 for none

    bool has_rows() const { return row_axis > 0 && rows > 1; }
};

// The loops of such a sum, which is computed at the block's place in its reader's loops.
void make_register_loops(Halide::Func sum, const SumBlock &block);

// The optional parameters "register_axis" and "register_rows".
void add_register_rows(const NestFuncs &funcs, NestSpace &space);

}  // namespace emulsion
