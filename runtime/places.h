// Threads of the pool on cores of their own. Linux may place a thread that wakes up beside the one that woke it, though
// another core idles: it then waits until that one's time slice ends, milliseconds later, and the loop runs on one thread.
#pragma once

namespace emulsion::runtime {

// The core that the calling thread runs on, or -1.
int this_core();

// Moves worker `worker` (from 1), which is the calling thread, if it runs on core `owner`, that of the thread whose loop it
// helps with, or on one where another worker was last seen: to a core that is free of them, of those that the thread may
// run on. It isn't bound to that one. Does nothing where there is no such core, or soon after the last move.
void take_own_core(int worker, int owner);

// Around the sleep of worker `worker`, which is the calling thread. Meanwhile its core is free for others, and it can't be
// woken up on the core of the owner it helped last, or of whoever called `clear_core` since. Between `wake_up` and
// `lie_down` it may run where it might at first, unless somebody else said meanwhile where it may.
void lie_down(int worker);
void wake_up(int worker);

// The worker is about to end: its core is free.
void leave_core(int worker);

// Before waking up any of the workers 1 to `workers`: no sleeping one is to wake up on core `core`, that of the calling thread.
void clear_core(int core, int workers);

}  // namespace emulsion::runtime
