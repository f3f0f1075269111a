// The thread pool of an artifact, shared by its contexts: parallel loops for kernels that last some
// tens of microseconds, each thread on a part of its own.
#pragma once

#include <cstdint>

namespace emulsion::runtime {

inline constexpr int kMaxThreads = 256;

using LoopBody = int (*)(void *user_context, int index, uint8_t *closure);

// Calls body(user_context, i, closure) for min <= i < min + size, on the calling thread and on
// workers that have nothing else to do. Of n threads, n = size where there are more, number k begins
// with its own part, iterations size * k / n up to size * (k + 1) / n, in ascending order; the
// calling thread is number 0. So its core's cache often has what it reads: what it wrote in the loop
// before. A thread without a part, or at the end of it, takes iterations from the end of the part
// that has most left: nobody idles, and one that is late or never comes holds up no more than the
// piece that it has taken, an iteration or, in long loops, a 64th of a part.
//
// Returns when all calls have; the first result that is not zero ends the loop early and is
// returned. May be called from inside a body and from any number of threads.
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
// It is also the worker's part of the loops it helps with.
int worker_number();

}  // namespace emulsion::runtime
