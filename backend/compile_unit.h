// From a unit to an object file.
#pragma once

#include <map>
#include <string>

#include "frontend/lower/unit.h"

namespace emulsion {

// Paths; empty: not wanted.
struct UnitOutputs {
    std::string object;
    std::string statement;  // the lowered statement as text
    std::string assembly;
    std::string schedule;  // Halide schedule calls as C++ text
    std::string kernels;   // folder for the code objects of AMD GPUs, and what they are
};

struct CompileUnitOptions {
    std::string code_cache;  // folder of code objects that were compiled before; empty: none
    // Names of the model's tensors by those of the unit's: for what is written about kernels.
    std::map<std::string, std::string> tensor_names;
    // Folder for what the device compiler leaves behind when it is killed; empty: the system's.
    std::string scratch;
};

struct CompiledUnit {
    // How often the loop nests had to be made smaller, until registers and LDS were enough for the kernels and
    // Halide could unroll their tiles.
    int shrinks = 0;
    Plan plan;  // the unit's, with the loop nests that it was compiled with
};

// Writes an object file with one extern "C" function named unit_key(unit): int(void *user_context,
// halide_buffer_t *inputs..., halide_buffer_t *output), and what else is asked for. To be called in a process
// that has made no Funcs before, so that names (and bytes) do not depend on history. Throws Error, for kernels
// too, that a chip can't run: these are compiled with smaller loop nests until it can or there is none.
CompiledUnit compile_unit(const Unit &unit, const UnitOutputs &outputs,
                          const CompileUnitOptions &options = {});

}  // namespace emulsion
