// Memory for the temporaries inside kernels (Halide's halide_malloc). Blocks go back to a cache, not
// to malloc: a kernel that runs every few milliseconds must not fault its pages in each time.
#pragma once

#include <cstddef>

namespace emulsion::runtime {

// At least `bytes` bytes on a multiple of 128, or null.
void *scratch_allocate(size_t bytes);
// Takes back what scratch_allocate gave; null is fine. From any thread.
void scratch_release(void *block);
// Gives the cache's blocks back to the system. Blocks in use stay valid.
void scratch_trim();

}  // namespace emulsion::runtime
