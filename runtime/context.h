// A running instance of an artifact: its weights, its arena, the buffers of its launches.
#pragma once

#include <atomic>
#include <cstddef>

#include <HalideRuntime.h>

#include "runtime/tables.h"
#include "runtime/weights.h"

namespace emulsion::runtime {
struct Offload;
}

// Kernels get it as their user context.
struct EmulsionContext {
    static constexpr size_t kMessageBytes = 512;

    const EmulsionProgram *program;
    emulsion::runtime::Weights *weights;
    emulsion::runtime::Offload *offload;  // null: the CPU runs it
    char *arena;                          // the CPU's
    size_t arena_mapped;
    halide_buffer_t *buffers;  // one per view
    void **arguments;          // of all launches, each starting with the context
    std::atomic<bool> running;
    std::atomic<bool> has_message;
    char message[kMessageBytes];
};

namespace emulsion::runtime {

constexpr size_t kHugePage = size_t{2} << 20;

// Of a launch on the CPU, the halos that are filled once, or those that other tensors may have overwritten since the last
// run.
void fill_halos(const EmulsionContext *context, const EmulsionLaunch &launch, bool once);

// Keeps the first message of a run; later ones are consequences. From any thread.
void record_error(EmulsionContext *context, const char *message);

// Bytes rounded up to whole pages and mapped, zeroed; on huge pages where that pays. Null if there
// is not that much memory.
char *map_memory(size_t bytes, size_t *mapped);
void unmap_memory(const void *memory, size_t mapped);

}  // namespace emulsion::runtime
