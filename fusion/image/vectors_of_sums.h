// Sums that are added up in registers, vectors of them side by side.
#pragma once

#include <cstdint>
#include <vector>

#include "fusion/image/decisions.h"
#include "fusion/machine.h"

namespace emulsion {

// Vectors of a register member that are computed side by side: its sums would wait for themselves.
inline constexpr int64_t kRegisterVectors = 4;

// Vectors of so many elements, of `sums` that stage `i` reads, or has. Where they walk down many rows and do little
// there, half of the registers: what they read of a row is longer then, and rows are far apart. No more than leave few
// columns to be computed twice.
int64_t vectors_of_sums(const ImageDecisions &decisions, int i, const std::vector<int> &sums,
                        int64_t vector, const CpuMachine &machine);

}  // namespace emulsion
