#include "runtime/thread_pool.h"

#include <atomic>

#include <pthread.h>
#include <unistd.h>

#include "runtime/futex.h"
#include "runtime/places.h"

namespace emulsion::runtime {

namespace {

// Loops that are shared at the same time; the caller of one more runs it alone.
constexpr int kSlots = 16;
// A worker looks for work for this long before it sleeps: longer than the serial part between two
// kernels, because waking up costs 50 us and more in a virtual machine.
constexpr int64_t kWorkerSpin = 150'000;
constexpr int64_t kCallerSpin = 100'000;
// Long loops are handed out in pieces, at least this many for each thread.
constexpr int kPiecesPerThread = 64;

// A parallel loop that workers may join. `state` counts the workers inside; kOpen says that more
// may join, kWaiting that the owner sleeps until the last has left. The plain fields are written
// before kOpen is set and read only by those who joined, so the slot can be used again as soon as
// nobody is inside.
struct alignas(64) Slot {
    static constexpr uint32_t kOpen = 1U << 31;
    static constexpr uint32_t kWaiting = 1U << 30;

    std::atomic<bool> taken{false};
    void *user_context = nullptr;
    LoopBody body = nullptr;
    uint8_t *closure = nullptr;
    int min = 0;
    int64_t size = 0;
    int64_t piece = 1;
    int core = -1;  // of the owner
    std::atomic<int> result{0};
    alignas(64) std::atomic<uint32_t> state{0};
    alignas(64) std::atomic<int64_t> next{0};  // first iteration not handed out

    bool has_work() const { return (state.load(std::memory_order_relaxed) & kOpen) != 0; }
    void work();
    bool help();
    void finish();
};

Slot slots[kSlots];
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

void Slot::work() {
    for (;;) {
        const int64_t first = next.fetch_add(piece, std::memory_order_relaxed);
        if (first >= size) {
            return;
        }
        const int64_t last = first + piece < size ? first + piece : size;
        for (int64_t i = first; i < last; i++) {
            const int error = body(user_context, static_cast<int>(min + i), closure);
            if (error != 0) {
                int none = 0;
                result.compare_exchange_strong(none, error, std::memory_order_relaxed);
                next.store(size, std::memory_order_relaxed);
                return;
            }
        }
    }
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
    work();
    // Nothing is left to hand out: keep others from joining in vain.
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
        leave_core(this_worker);
        sleepers.fetch_add(1, std::memory_order_seq_cst);
        if (events.load(std::memory_order_seq_cst) == seen) {
            futex_wait(events, seen);
        }
        sleepers.fetch_sub(1, std::memory_order_seq_cst);
    }
}

void announce(int count) {
    events.fetch_add(1, std::memory_order_seq_cst);
    if (sleepers.load(std::memory_order_seq_cst) > 0) {
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
    slot->size = size;
    const int64_t piece = int64_t{size} / (int64_t{count} * kPiecesPerThread);
    slot->piece = piece > 1 ? piece : 1;
    slot->core = this_core();
    slot->result.store(0, std::memory_order_relaxed);
    slot->next.store(0, std::memory_order_relaxed);
    slot->state.store(Slot::kOpen, std::memory_order_release);
    announce(size - 1);
    slot->work();
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
