#include "runtime/places.h"

#include <atomic>
#include <cstdint>

#include <sched.h>

#include "runtime/futex.h"
#include "runtime/thread_pool.h"

namespace emulsion::runtime {

namespace {

// A move takes tens of microseconds; where all cores are busy, the next one would not last.
constexpr int64_t kLeastBetweenMoves = 1'000'000;  // ns

// Where workers were last seen, one more than the core's number; 0: nowhere.
std::atomic<int> seen[kMaxThreads];

thread_local int64_t last_move = -kLeastBetweenMoves;

bool is_taken(int core, int worker, int owner) {
    if (core == owner) {
        return true;
    }
    const int count = threads();
    for (int other = 1; other < count; other++) {
        if (other != worker && seen[other].load(std::memory_order_relaxed) == core + 1) {
            return true;
        }
    }
    return false;
}

// Written only where it changes: all workers read it.
void remember(int worker, int core) {
    if (seen[worker].load(std::memory_order_relaxed) != core + 1) {
        seen[worker].store(core + 1, std::memory_order_relaxed);
    }
}

// Onto the first core that is free.
void move(int worker, int owner) {
    cpu_set_t allowed;
    if (sched_getaffinity(0, sizeof(allowed), &allowed) != 0) {
        return;
    }
    for (int core = 0; core < CPU_SETSIZE; core++) {
        if (!CPU_ISSET(core, &allowed) || is_taken(core, worker, owner)) {
            continue;
        }
        remember(worker, core);  // before others look for one
        cpu_set_t only;
        CPU_ZERO(&only);
        CPU_SET(core, &only);
        sched_setaffinity(0, sizeof(only), &only);
        sched_setaffinity(0, sizeof(allowed), &allowed);
        return;
    }
}

}  // namespace

int this_core() { return sched_getcpu(); }

void take_own_core(int worker, int owner) {
    const int core = this_core();
    if (core < 0 || !is_taken(core, worker, owner)) {
        remember(worker, core);
        return;
    }
    const int64_t now = nanoseconds();
    if (now - last_move >= kLeastBetweenMoves) {
        last_move = now;
        move(worker, owner);
    }
}

void leave_core(int worker) { seen[worker].store(0, std::memory_order_relaxed); }

}  // namespace emulsion::runtime
