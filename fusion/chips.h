// The GPUs that there is code for, by the name that their instruction set has in LLVM (gfx906, ...). A chip
// is a row of the table in chips.cpp.
#pragma once

#include <span>
#include <string>

#include "fusion/gpu.h"
#include "fusion/machine.h"

namespace emulsion {

struct Chip {
    std::string name;
    std::string description;  // a card that has it: what the figures are of
    double gigahertz = 1.5;
    Gpu gpu;
};

std::span<const Chip> all_chips();
// Throws Error, listing the known ones, for an unknown name.
const Chip &find_chip(const std::string &name);
// The machine that a chip is to the planner.
Machine machine_of(const Chip &chip);

}  // namespace emulsion
