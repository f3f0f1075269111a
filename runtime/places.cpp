#include "runtime/places.h"

#include <atomic>
#include <cstdint>

#include <sched.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "runtime/futex.h"
#include "runtime/thread_pool.h"

namespace emulsion::runtime {

namespace {

// A move takes tens of microseconds; where all cores are busy, the next one would not last.
constexpr int64_t kLeastBetweenMoves = 1'000'000;  // ns

enum Sleep : uint8_t {
    kAwake,
    kAsleep,
    kHeld,  // asleep, and somebody changes where it may wake up
};

// A core's number plus one, or nowhere: all of a worker's place begins as zeros, which take no room in a library.
using Core = int;
constexpr Core kNowhere = 0;

// Of a worker. The last four are written by whoever has made `sleep` kHeld, or by the worker when it is awake.
struct Place {
    std::atomic<Core> seen;  // where it was last seen
    std::atomic<Sleep> sleep;
    Core owner;                // of the owner it helped last
    int64_t last_move;         // ns
    std::atomic<Core> barred;  // where it can't wake up
    pid_t thread;
    cpu_set_t allowed;  // where it may run
    cpu_set_t given;    // the same without `barred`
};

Place places[kMaxThreads];

bool is_taken(Core core, int worker, Core owner) {
    if (core == owner) {
        return true;
    }
    const int count = threads();
    for (int other = 1; other < count; other++) {
        if (other != worker && places[other].seen.load(std::memory_order_relaxed) == core) {
            return true;
        }
    }
    return false;
}

// Written only where it changes: all workers read it.
void remember(Place &place, Core core) {
    if (place.seen.load(std::memory_order_relaxed) != core) {
        place.seen.store(core, std::memory_order_relaxed);
    }
}

// Onto the first core that is free.
void move(int worker, Core owner) {
    cpu_set_t allowed;
    if (sched_getaffinity(0, sizeof(allowed), &allowed) != 0) {
        return;
    }
    for (Core core = 1; core <= CPU_SETSIZE; core++) {
        if (!CPU_ISSET(core - 1, &allowed) || is_taken(core, worker, owner)) {
            continue;
        }
        remember(places[worker], core);  // before others look for one
        cpu_set_t only;
        CPU_ZERO(&only);
        CPU_SET(core - 1, &only);
        sched_setaffinity(0, sizeof(only), &only);
        sched_setaffinity(0, sizeof(allowed), &allowed);
        return;
    }
}

// Where the worker may run nowhere else, it stays.
void bar(Place &place, Core core) {
    cpu_set_t given = place.allowed;
    if (core > CPU_SETSIZE) {
        return;
    }
    CPU_CLR(core - 1, &given);
    if (CPU_COUNT(&given) > 0 && sched_setaffinity(place.thread, sizeof(given), &given) == 0) {
        place.given = given;
        place.barred.store(core, std::memory_order_relaxed);
    }
}

}  // namespace

int this_core() { return sched_getcpu(); }

void take_own_core(int worker, int owner) {
    Place &place = places[worker];
    place.owner = owner + 1;
    const Core core = this_core() + 1;
    if (core == kNowhere || !is_taken(core, worker, place.owner)) {
        remember(place, core);
        return;
    }
    const int64_t now = nanoseconds();
    if (now - place.last_move >= kLeastBetweenMoves) {
        place.last_move = now;
        move(worker, place.owner);
    }
}

void leave_core(int worker) { remember(places[worker], kNowhere); }

void lie_down(int worker) {
    Place &place = places[worker];
    leave_core(worker);
    place.barred.store(kNowhere, std::memory_order_relaxed);
    if (sched_getaffinity(0, sizeof(place.allowed), &place.allowed) != 0) {
        return;
    }
    place.thread = static_cast<pid_t>(syscall(SYS_gettid));
    if (place.owner != kNowhere) {
        bar(place, place.owner);
    }
    place.sleep.store(kAsleep, std::memory_order_release);
}

void wake_up(int worker) {
    Place &place = places[worker];
    Sleep asleep = kAsleep;
    while (!place.sleep.compare_exchange_weak(asleep, kAwake, std::memory_order_acquire)) {
        if (asleep == kAwake) {
            return;  // it didn't say where it may run
        }
        asleep = kAsleep;
        pause();
    }
    cpu_set_t now;
    if (place.barred.load(std::memory_order_relaxed) != kNowhere &&
        sched_getaffinity(0, sizeof(now), &now) == 0 && CPU_EQUAL(&now, &place.given)) {
        sched_setaffinity(0, sizeof(place.allowed), &place.allowed);
    }
}

void clear_core(int core, int workers) {
    for (int worker = 1; worker <= workers && core >= 0; worker++) {
        Place &place = places[worker];
        Sleep asleep = kAsleep;
        if (place.sleep.load(std::memory_order_relaxed) == kAsleep &&
            place.barred.load(std::memory_order_relaxed) != core + 1 &&
            place.sleep.compare_exchange_strong(asleep, kHeld, std::memory_order_acquire)) {
            bar(place, core + 1);
            place.sleep.store(kAsleep, std::memory_order_release);
        }
    }
}

}  // namespace emulsion::runtime
