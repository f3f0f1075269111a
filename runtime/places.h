// Threads of the pool on cores of their own. Linux may place a thread that wakes up beside the one that woke it, and leave
// it there for many milliseconds while another core idles: the two then wait for each other's time slices.
#pragma once

namespace emulsion::runtime {

// The core that the calling thread runs on, or -1.
int this_core();

// Moves worker `worker` (from 1), which is the calling thread, if it runs on core `owner`, that of the thread whose loop it
// helps with, or on one where another worker was last seen: to a core that is free of them, of those that the thread may
// run on. It isn't bound to that one. Does nothing where there is no such core, or soon after the last move.
void take_own_core(int worker, int owner);

// The worker is about to sleep or to end: its core is free.
void leave_core(int worker);

}  // namespace emulsion::runtime
