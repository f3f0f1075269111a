#include "runtime/scratch.h"

#include <cstdint>
#include <cstring>
#include <random>
#include <thread>
#include <vector>

#include <gtest/gtest.h>

namespace emulsion::runtime {

TEST(Scratch, BlocksAreAlignedAndReused) {
    void *block = scratch_allocate(1000);
    EXPECT_EQ(0U, reinterpret_cast<uintptr_t>(block) % 128);
    scratch_release(block);
    EXPECT_EQ(block, scratch_allocate(900));
    scratch_release(block);
    scratch_trim();
}

TEST(Scratch, ASmallRequestDoesNotTakeALargeBlock) {
    void *large = scratch_allocate(10 << 20);
    scratch_release(large);
    void *small = scratch_allocate(16);
    EXPECT_NE(large, small);
    scratch_release(small);
    EXPECT_EQ(large, scratch_allocate(10 << 20));
    scratch_release(large);
    scratch_trim();
}

TEST(Scratch, ALargeBlockServesAllLargeRequestsThatFitIntoItsPages) {
    void *block = scratch_allocate(100'000);
    scratch_release(block);
    EXPECT_EQ(block, scratch_allocate(1'500'000));
    scratch_release(block);
    void *small = scratch_allocate(1000);
    EXPECT_NE(block, small);
    scratch_release(small);
    scratch_trim();
}

TEST(Scratch, ReleasingNullIsFineAndHugeRequestsFail) {
    scratch_release(nullptr);
    EXPECT_EQ(nullptr, scratch_allocate(SIZE_MAX - 10));
}

TEST(Scratch, ThreadsDoNotShareBlocks) {
    std::vector<std::thread> threads;
    for (int t = 0; t < 8; t++) {
        threads.emplace_back([t] {
            std::minstd_rand random(static_cast<unsigned>(t + 1));
            std::vector<std::pair<unsigned char *, size_t>> held;
            for (int i = 0; i < 2000; i++) {
                if (held.size() > 12 || (!held.empty() && random() % 2 == 0)) {
                    auto [block, size] = held.back();
                    held.pop_back();
                    for (size_t k = 0; k < size; k++) {
                        ASSERT_EQ(t, block[k]);
                    }
                    scratch_release(block);
                } else {
                    const size_t size = 1 + random() % 5000;
                    auto *block = static_cast<unsigned char *>(scratch_allocate(size));
                    std::memset(block, t, size);
                    held.emplace_back(block, size);
                }
            }
            for (auto [block, size] : held) {
                scratch_release(block);
            }
        });
    }
    for (std::thread &t : threads) {
        t.join();
    }
    scratch_trim();
}

}  // namespace emulsion::runtime
