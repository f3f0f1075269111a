// Random tests with a time box.
#pragma once

#include <gtest/gtest.h>

#include <chrono>
#include <cstdint>
#include <cstdlib>
#include <functional>
#include <iostream>

namespace emulsion::test {

// Whether only the seed that EMULSION_TEST_SEED names is to be run, to look at what goes wrong with it.
inline bool one_seed_only() { return std::getenv("EMULSION_TEST_SEED") != nullptr; }

// Runs one seed after the other, from `first` on, for so many seconds or until one fails, and prints which.
inline void for_seeds(double seconds, uint64_t first, const std::function<void(uint64_t)> &run) {
    if (one_seed_only()) {
        run(std::strtoull(std::getenv("EMULSION_TEST_SEED"), nullptr, 10));
        return;
    }
    const auto start = std::chrono::steady_clock::now();
    const auto passed = [&] {
        return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    };
    uint64_t seed = first;
    for (; passed() < seconds && !testing::Test::HasFailure(); seed++) {
        run(seed);
    }
    std::cout << "seeds " << first << " to " << seed - 1 << "\n";
}

}  // namespace emulsion::test
