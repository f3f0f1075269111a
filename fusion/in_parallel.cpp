#include "fusion/in_parallel.h"

#include <algorithm>
#include <atomic>
#include <exception>
#include <thread>
#include <vector>

#include <sched.h>

namespace emulsion {

void in_parallel(size_t count, int jobs, const std::function<void(size_t)> &work) {
    std::vector<std::exception_ptr> errors(count);
    std::atomic<size_t> next{0};
    const auto take = [&] {
        for (size_t i = next++; i < count; i = next++) {
            try {
                work(i);
            } catch (...) {
                errors[i] = std::current_exception();
            }
        }
    };
    std::vector<std::thread> helpers;
    for (size_t i = 1; i < std::min(static_cast<size_t>(std::max(jobs, 1)), count); i++) {
        helpers.emplace_back(take);
    }
    take();
    for (std::thread &helper : helpers) {
        helper.join();
    }
    for (const std::exception_ptr &error : errors) {
        if (error) {
            std::rethrow_exception(error);
        }
    }
}

int available_cores() {
    cpu_set_t set;
    if (sched_getaffinity(0, sizeof set, &set) == 0) {
        return std::max(1, CPU_COUNT(&set));
    }
    return std::max(1, static_cast<int>(std::thread::hardware_concurrency()));
}

}  // namespace emulsion
