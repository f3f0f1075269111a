// The thread pool of an artifact, shared by its contexts: parallel loops whose iterations are handed
// out one by one, for kernels that last some tens of microseconds.
#pragma once

#include <cstdint>

namespace emulsion::runtime {

inline constexpr int kMaxThreads = 256;

using LoopBody = int (*)(void *user_context, int index, uint8_t *closure);

// Calls body(user_context, i, closure) for min <= i < min + size, on the calling thread and on
// workers that have nothing else to do. Returns when all calls have; the first result that is not
// zero ends the loop early and is returned. May be called from inside a body and from any number of
// threads.
int parallel_for(void *user_context, LoopBody body, int min, int size, uint8_t *closure);

// Threads that a loop runs on, the caller included; 0 until somebody sets them, which is then as
// good as 1. Setting waits for workers that are to go. Not to be called from inside a body.
void set_threads(int threads);
int threads();

// The pool keeps its workers while it has users; the last one to go takes them along (true). The
// first one sets the number of threads if nobody has.
void acquire_pool(int default_threads);
bool release_pool();

// A small number that differs between the threads of the pool; 0 for a thread that is not of it.
int worker_number();

}  // namespace emulsion::runtime
