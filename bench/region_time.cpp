#include "bench/region_time.h"

#include <chrono>
#include <cstdint>
#include <vector>

#include "bench/statistics.h"
#include "runtime/thread_pool.h"

namespace emulsion {

namespace {

using Clock = std::chrono::steady_clock;

constexpr int kLoops = 3000;
// Long enough for every worker to have joined before the caller takes a second task.
constexpr std::chrono::microseconds kTask{20};

int task(void *, int, uint8_t *) {
    const Clock::time_point end = Clock::now() + kTask;
    while (Clock::now() < end) {
    }
    return 0;
}

}  // namespace

double region_seconds(int threads) {
    if (threads < 2) {
        return 0.0;
    }
    runtime::acquire_pool(threads);
    runtime::set_threads(threads);
    std::vector<double> seconds;
    for (int i = 0; i < kLoops; i++) {
        const Clock::time_point begin = Clock::now();
        runtime::parallel_for(nullptr, task, 0, threads, nullptr);
        seconds.push_back(std::chrono::duration<double>(Clock::now() - begin - kTask).count());
    }
    runtime::release_pool();
    return summarise(std::move(seconds)).median;
}

}  // namespace emulsion
