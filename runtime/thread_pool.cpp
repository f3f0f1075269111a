#include "runtime/thread_pool.h"

#include <atomic>

#include <pthread.h>
#include <unistd.h>

#include "runtime/futex.h"
#include "runtime/part.h"
#include "runtime/places.h"

namespace emulsion::runtime {

namespace {

// Loops that are shared at the same time; the caller of one more runs it alone.
constexpr int kSlots = 16;
// A worker looks for work for this long before it sleeps: longer than the serial part between two
// kernels, because waking up costs 50 us and more in a virtual machine.
constexpr int64_t kWorkerSpin = 150'000;
constexpr int64_t kCallerSpin = 100'000;
// Iterations of long loops are taken in pieces, at least this many for each thread.
constexpr int kPiecesPerThread = 64;

// A parallel loop that workers may join. `state` counts the workers inside; kOpen says that more
// may join, kWaiting that the owner sleeps until the last has left. The plain fields and the parts
// are written before kOpen is set and used only by those who joined, so the slot can be used again
// as soon as nobody is inside.
struct alignas(64) Slot {
    static constexpr uint32_t kOpen = 1U << 31;
    static constexpr uint32_t kWaiting = 1U << 30;

    std::atomic<bool> taken{false};
    void *user_context = nullptr;
    LoopBody body = nullptr;
    uint8_t *closure = nullptr;
    int min = 0;
    uint32_t piece = 1;
    int core = -1;          // of the owner
    Part *parts = nullptr;  // the owner's, then those of workers 1, 2, ...
    int part_count = 0;
    std::atomic<int> result{0};
    alignas(64) std::atomic<uint32_t> state{0};

    bool has_work() const { return (state.load(std::memory_order_relaxed) & kOpen) != 0; }
    void split(int size, int threads);
    void work(int own);
    Part *fullest_part(int own);
    bool run(Range range);
    bool help();
    void finish();
};

Slot slots[kSlots];
// Apart from the slots: looking for work goes through all of those, and touches few pages.
Part parts_of_slots[kSlots][kMaxThreads];
// Counts events that workers wait for: a loop was opened, the pool is to stop.
alignas(64) std::atomic<uint32_t> events{0};
alignas(64) std::atomic<int> sleepers{0};
std::atomic<bool> stopping{false};

// Guards what follows; never taken by workers.
pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
pthread_t workers[kMaxThreads];
pid_t owner_process = 0;
int users = 0;
std::atomic<int> running{0};  // workers started; changed under the mutex
std::atomic<int> wanted{0};   // threads, 0: not yet set

thread_local int this_worker = 0;

// A loop of few iterations has a part of one iteration for each.
void Slot::split(int size, int threads) {
    const int pieces = size / threads / kPiecesPerThread;
    piece = pieces > 1 ? static_cast<uint32_t>(pieces) : 1;
    part_count = size < threads ? size : threads;
    uint32_t begin = 0;
    for (int i = 0; i < part_count; i++) {
        const auto end = static_cast<uint32_t>(int64_t{size} * (i + 1) / part_count);
        parts[i].set({begin, end});
        begin = end;
    }
}

// `own`: the thread's part, or a number beyond all parts.
void Slot::work(int own) {
    if (own < part_count) {
        while (run(parts[own].take_first(piece))) {
        }
    }
    // From the end: the part's own thread is the last to get there. To the end, too: looking into all
    // parts for every piece would take longer than a short iteration.
    while (Part *victim = fullest_part(own)) {
        while (run(victim->take_last(piece))) {
        }
    }
}

// The part that has most left; none if no part has any, which stays so.
Part *Slot::fullest_part(int own) {
    // Where somebody has found nothing or failed, there is no need to look into all parts.
    if (!has_work() || result.load(std::memory_order_relaxed) != 0) {
        return nullptr;
    }
    Part *fullest = nullptr;
    uint32_t most = 0;
    // Each thread begins with another: fewer meet in one where several have as much left.
    for (int i = 0, next = own; i < part_count; i++) {
        next = next + 1 < part_count ? next + 1 : 0;
        const uint32_t size = parts[next].size();
        if (size > most) {
            most = size;
            fullest = &parts[next];
        }
    }
    return fullest;
}

// Whether to go on: there were iterations, and the loop isn't to end early.
bool Slot::run(Range range) {
    for (uint32_t i = range.begin; i < range.end; i++) {
        const int error = body(user_context, min + static_cast<int>(i), closure);
        if (error != 0) {
            int none = 0;
            result.compare_exchange_strong(none, error, std::memory_order_relaxed);
            return false;
        }
    }
    return range.size() > 0 && result.load(std::memory_order_relaxed) == 0;
}

// Called by workers.
bool Slot::help() {
    uint32_t seen = state.load(std::memory_order_relaxed);
    do {
        if ((seen & kOpen) == 0) {
            return false;
        }
    } while (!state.compare_exchange_weak(seen, seen + 1, std::memory_order_acq_rel,
                                          std::memory_order_relaxed));
    take_own_core(this_worker, core);
    work(this_worker);
    // Nothing is left to take: keep others from joining in vain.
    state.fetch_and(~kOpen, std::memory_order_acq_rel);
    const uint32_t before = state.fetch_sub(1, std::memory_order_acq_rel);
    if (before == (kWaiting | 1)) {
        futex_wake(state, 1);
    }
    return true;
}

// Called by the owner after its own share: waits for the workers inside.
void Slot::finish() {
    uint32_t seen = state.fetch_and(~kOpen, std::memory_order_acq_rel) & ~kOpen;
    const auto empty = [&] {
        seen = state.load(std::memory_order_acquire);
        return seen == 0;
    };
    if (seen == 0 || spin(kCallerSpin, empty)) {
        return;
    }
    seen = state.fetch_or(kWaiting, std::memory_order_acq_rel) | kWaiting;
    while (seen != kWaiting) {
        futex_wait(state, seen);
        seen = state.load(std::memory_order_acquire);
    }
    state.store(0, std::memory_order_relaxed);
}

bool help_somebody() {
    for (Slot &slot : slots) {
        if (slot.has_work() && slot.help()) {
            return true;
        }
    }
    return false;
}

void *worker_main(void *number) {
    this_worker = static_cast<int>(reinterpret_cast<intptr_t>(number));
    for (;;) {
        const uint32_t seen = events.load(std::memory_order_seq_cst);
        if (stopping.load(std::memory_order_acquire)) {
            leave_core(this_worker);
            return nullptr;
        }
        if (help_somebody()) {
            continue;
        }
        if (spin(kWorkerSpin, [&] { return events.load(std::memory_order_relaxed) != seen; })) {
            continue;
        }
        // Whoever adds an event looks for sleepers afterwards, and we look for events after having
        // become one: one of the two sees the other.
        lie_down(this_worker);
        sleepers.fetch_add(1, std::memory_order_seq_cst);
        if (events.load(std::memory_order_seq_cst) == seen) {
            futex_wait(events, seen);
        }
        sleepers.fetch_sub(1, std::memory_order_seq_cst);
        wake_up(this_worker);
    }
}

void announce(int count) {
    events.fetch_add(1, std::memory_order_seq_cst);
    if (sleepers.load(std::memory_order_seq_cst) > 0) {
        clear_core(this_core(), running.load(std::memory_order_relaxed));
        futex_wake(events, count);
    }
}

// Under the mutex. Running loops end without their workers.
void stop_workers() {
    const int count = running.load(std::memory_order_relaxed);
    // In a child process the workers do not exist.
    if (count > 0 && owner_process == getpid()) {
        stopping.store(true, std::memory_order_release);
        announce(kMaxThreads);
        for (int i = 0; i < count; i++) {
            pthread_join(workers[i], nullptr);
        }
        stopping.store(false, std::memory_order_release);
    }
    running.store(0, std::memory_order_relaxed);
}

// Where threads cannot be had, loops run on fewer.
void start_workers() {
    pthread_mutex_lock(&mutex);
    const int target = wanted.load(std::memory_order_relaxed) - 1;
    int count = running.load(std::memory_order_relaxed);
    owner_process = getpid();
    while (count < target &&
           pthread_create(&workers[count], nullptr, worker_main,
                          reinterpret_cast<void *>(static_cast<intptr_t>(count + 1))) == 0) {
        count++;
    }
    if (count < target) {
        wanted.store(count + 1, std::memory_order_relaxed);
    }
    running.store(count, std::memory_order_relaxed);
    pthread_mutex_unlock(&mutex);
}

int clamped(int threads) { return threads < 1 ? 1 : threads > kMaxThreads ? kMaxThreads : threads; }

Slot *take_slot() {
    for (Slot &slot : slots) {
        if (!slot.taken.load(std::memory_order_relaxed) &&
            !slot.taken.exchange(true, std::memory_order_acquire)) {
            return &slot;
        }
    }
    return nullptr;
}

int run_alone(void *user_context, LoopBody body, int min, int size, uint8_t *closure) {
    for (int i = 0; i < size; i++) {
        const int error = body(user_context, min + i, closure);
        if (error != 0) {
            return error;
        }
    }
    return 0;
}

// An artifact may be unloaded while contexts are open; its threads must not outlive its code.
__attribute__((destructor)) void join_at_unload() {
    pthread_mutex_lock(&mutex);
    stop_workers();
    pthread_mutex_unlock(&mutex);
}

}  // namespace

int parallel_for(void *user_context, LoopBody body, int min, int size, uint8_t *closure) {
    const int count = threads();
    Slot *slot = size > 1 && count > 1 ? take_slot() : nullptr;
    if (slot == nullptr) {
        return run_alone(user_context, body, min, size, closure);
    }
    // Not from a worker: it may be waited for by somebody who holds the mutex.
    if (this_worker == 0 && running.load(std::memory_order_relaxed) < count - 1) {
        start_workers();
    }
    slot->user_context = user_context;
    slot->body = body;
    slot->closure = closure;
    slot->min = min;
    slot->parts = parts_of_slots[slot - slots];
    slot->split(size, count);
    slot->core = this_core();
    slot->result.store(0, std::memory_order_relaxed);
    slot->state.store(Slot::kOpen, std::memory_order_release);
    announce(size - 1);
    slot->work(0);
    slot->finish();
    const int result = slot->result.load(std::memory_order_relaxed);
    slot->taken.store(false, std::memory_order_release);
    return result;
}

void set_threads(int threads) {
    const int count = clamped(threads);
    pthread_mutex_lock(&mutex);
    wanted.store(count, std::memory_order_relaxed);
    if (running.load(std::memory_order_relaxed) > count - 1) {
        stop_workers();
    }
    pthread_mutex_unlock(&mutex);
}

int threads() { return wanted.load(std::memory_order_relaxed); }

void acquire_pool(int default_threads) {
    pthread_mutex_lock(&mutex);
    users++;
    if (wanted.load(std::memory_order_relaxed) == 0) {
        wanted.store(clamped(default_threads), std::memory_order_relaxed);
    }
    pthread_mutex_unlock(&mutex);
}

bool release_pool() {
    pthread_mutex_lock(&mutex);
    const bool last = --users == 0;
    if (last) {
        stop_workers();
    }
    pthread_mutex_unlock(&mutex);
    return last;
}

int worker_number() { return this_worker; }

}  // namespace emulsion::runtime
