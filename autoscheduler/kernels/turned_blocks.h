// Transposes, and what else reads across the order of its operand, on CPUs.
//
// A vector whose elements lie far apart is loaded one element after the other. Of a loop nest that computes blocks of the
// other axis (crossing_axis of autoscheduler/templates/support/rows.h) as many such vectors follow each other as they have
// lanes, each one element further: together these are rows of memory.
#pragma once

#include <Halide.h>

namespace emulsion {

// Such rows are loaded whole and turned in registers: log2(lanes) shuffles for each vector.
Halide::Internal::Stmt with_turned_blocks(const Halide::Internal::Stmt &statement);

}  // namespace emulsion
