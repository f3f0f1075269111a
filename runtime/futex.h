// Sleeping on a 32-bit word, and the pauses before that.
#pragma once

#include <atomic>
#include <cstdint>
#include <ctime>

#include <linux/futex.h>
#include <sys/syscall.h>
#include <unistd.h>

namespace emulsion::runtime {

static_assert(sizeof(std::atomic<uint32_t>) == sizeof(uint32_t));

// Sleeps unless `word` differs from `expected`; may wake for no reason.
inline void futex_wait(std::atomic<uint32_t> &word, uint32_t expected) {
    syscall(SYS_futex, &word, FUTEX_WAIT_PRIVATE, expected, nullptr, nullptr, 0);
}

inline void futex_wake(std::atomic<uint32_t> &word, int count) {
    syscall(SYS_futex, &word, FUTEX_WAKE_PRIVATE, count, nullptr, nullptr, 0);
}

inline void pause() {
#if defined(__x86_64__)
    __builtin_ia32_pause();
#endif
}

inline int64_t nanoseconds() {
    timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return int64_t{now.tv_sec} * 1'000'000'000 + now.tv_nsec;
}

// Spins until `done()` or for `limit` nanoseconds; returns whether it was done.
template<typename Done>
bool spin(int64_t limit, Done done) {
    const int64_t start = nanoseconds();
    do {
        for (int i = 0; i < 32; i++) {
            if (done()) {
                return true;
            }
            pause();
        }
    } while (nanoseconds() - start < limit);
    return done();
}

}  // namespace emulsion::runtime
