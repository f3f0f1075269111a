// Carries out a lowered statement without its data: every loop, thread and workgroup, with the numbers that
// indices are made of. What depends on data is taken to be anything that it may be.
#pragma once

#include <Halide.h>

#include <cstdint>
#include <string>

namespace emulsion::test {

struct Accesses {
    int64_t checked = 0;  // loads and stores, each once for every thread and iteration
    std::string wrong;    // the first that isn't within its memory, one sentence, or ""
};

// Of statements before kernels are taken out of them (Module::get_conceptual_stmt), whose sizes are constants.
// Both sides of a choice are read, as GPUs do; what an if statement or if_then_else guards only where it may
// be true.
Accesses check_accesses(const Halide::Internal::Stmt &statement);

}  // namespace emulsion::test
