// The figures of a machine that cost models use, by name: as a calibration file, a parameter or a test
// gives them.
#pragma once

#include <map>
#include <string>

#include "fusion/machine.h"

namespace emulsion {

// By the name of the field of CpuMachine, and of GpuMachine where that has it too: l2_bytes, shared_bytes_per_cycle,
// launch_cycles, ...
using MachineConstants = std::map<std::string, double>;

// All that a machine of its kind has.
MachineConstants constants_of(const Machine &machine);
// Throws Error for an unknown name and for a value that no machine has. What a machine of its kind hasn't got is left
// out: one file may be for both.
void set_constants(Machine &machine, const MachineConstants &constants);

// A document of names and numbers (schema emulsion-machine), and back. `place` is what messages call the text.
// Throws Error for anything else.
std::string to_json(const MachineConstants &constants);
MachineConstants constants_from_json(const std::string &text, const std::string &place);

}  // namespace emulsion
