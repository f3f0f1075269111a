// The constants of a network, as contexts share them: read from a file, or memory of the caller's.
#pragma once

#include <atomic>
#include <cstddef>

#include "runtime/tables.h"

namespace emulsion::runtime {

struct Weights {
    const char *content;  // what follows the header; null once the device has all of it
    size_t mapped;        // bytes to unmap; 0: the caller's memory
    const EmulsionGpu *gpu;
    void *device;  // the copy on the GPU of a program that has one; else null
    size_t device_bytes;
    std::atomic<int> users;
};

// The weights of `program` with one user, after checking that they are its own, whole and unharmed;
// *weights stays as it is if they are not. Returns an error code.
int weights_from_file(const EmulsionProgram *program, const char *path, Weights **weights);
int weights_from_memory(const EmulsionProgram *program, const void *bytes, size_t size,
                        Weights **weights);

// Without a use of their content to come: gives back the memory that is not the caller's.
void unmap_content(Weights *weights);

// One user more, and one less, whose `stream` may still read the device's copy: the last one frees all.
// Null is fine for the latter.
Weights *share_weights(Weights *weights);
void release_weights(Weights *weights, void *stream);

}  // namespace emulsion::runtime
