// The constants of a network, as contexts share them: read from a file, or memory of the caller's.
#pragma once

#include <atomic>
#include <cstddef>

#include "runtime/tables.h"

namespace emulsion::runtime {

struct Weights {
    const char *content;  // what follows the header
    size_t mapped;        // bytes to unmap; 0: the caller's memory
    std::atomic<int> users;
};

// The weights of `program` with one user, after checking that they are its own, whole and unharmed;
// *weights stays as it is if they are not. Returns an error code.
int weights_from_file(const EmulsionProgram *program, const char *path, Weights **weights);
int weights_from_memory(const EmulsionProgram *program, const void *bytes, size_t size,
                        Weights **weights);

// One user more, and one less: the last one unmaps them. Null is fine for the latter.
Weights *share_weights(Weights *weights);
void release_weights(Weights *weights);

}  // namespace emulsion::runtime
