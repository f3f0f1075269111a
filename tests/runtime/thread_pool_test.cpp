#include "runtime/thread_pool.h"

#include <array>
#include <atomic>
#include <chrono>
#include <limits>
#include <numeric>
#include <random>
#include <thread>
#include <vector>

#include <gtest/gtest.h>
#include <sched.h>

namespace emulsion::runtime {

namespace {

// Bodies are plain functions; what they work on comes through the closure.
struct Counts {
    std::vector<std::atomic<int>> calls;
    int min = 0;
    int fail_at = std::numeric_limits<int>::max();
    explicit Counts(int size) : calls(static_cast<size_t>(size)) {}
};

int count_call(void *, int index, uint8_t *closure) {
    auto *counts = reinterpret_cast<Counts *>(closure);
    counts->calls[static_cast<size_t>(index - counts->min)]++;
    return index == counts->fail_at ? 7 : 0;
}

int run_counts(Counts &counts) {
    return parallel_for(nullptr, count_call, counts.min, static_cast<int>(counts.calls.size()),
                        reinterpret_cast<uint8_t *>(&counts));
}

bool each_once(const Counts &counts) {
    for (const auto &c : counts.calls) {
        if (c != 1) {
            return false;
        }
    }
    return true;
}

// Every iteration writes plain memory and runs an inner loop: sums come out right only if the end
// of a loop is seen after all of its iterations.
struct Nested {
    std::vector<int64_t> sums;
    int inner = 0;
};

struct Inner {
    std::vector<int64_t> values;
};

int inner_body(void *, int index, uint8_t *closure) {
    reinterpret_cast<Inner *>(closure)->values[static_cast<size_t>(index)] = index;
    return 0;
}

int nested_body(void *, int index, uint8_t *closure) {
    auto *nested = reinterpret_cast<Nested *>(closure);
    Inner inner;
    inner.values.assign(static_cast<size_t>(nested->inner), -1);
    const int error =
        parallel_for(nullptr, inner_body, 0, nested->inner, reinterpret_cast<uint8_t *>(&inner));
    nested->sums[static_cast<size_t>(index)] =
        std::accumulate(inner.values.begin(), inner.values.end(), int64_t{0});
    return error;
}

void run_nested(int outer, int inner) {
    Nested nested;
    nested.sums.assign(static_cast<size_t>(outer), -1);
    nested.inner = inner;
    EXPECT_EQ(0,
              parallel_for(nullptr, nested_body, 0, outer, reinterpret_cast<uint8_t *>(&nested)));
    for (int64_t sum : nested.sums) {
        EXPECT_EQ(int64_t{inner} * (inner - 1) / 2, sum);
    }
}

// Two iterations that wait for each other, a little: on which cores they are.
struct Meeting {
    std::atomic<int> arrived{0};
    std::array<int, 2> cores{-1, -1};
};

int meet(void *, int index, uint8_t *closure) {
    auto *meeting = reinterpret_cast<Meeting *>(closure);
    meeting->cores[static_cast<size_t>(index)] = sched_getcpu();
    meeting->arrived++;
    const auto end = std::chrono::steady_clock::now() + std::chrono::milliseconds(50);
    while (meeting->arrived < 2 && std::chrono::steady_clock::now() < end) {
    }
    return 0;
}

class ThreadPool : public ::testing::TestWithParam<int> {
protected:
    void SetUp() override {
        acquire_pool(1);
        set_threads(GetParam());
    }
    void TearDown() override { release_pool(); }
};

}  // namespace

TEST_P(ThreadPool, CallsEachIterationOnce) {
    for (int size : {0, 1, 2, 3, 17, 1000, 100000}) {
        Counts counts(size);
        counts.min = -5;
        EXPECT_EQ(0, run_counts(counts));
        EXPECT_TRUE(each_once(counts)) << size;
    }
}

TEST_P(ThreadPool, ReturnsTheErrorOfAnIteration) {
    for (int i = 0; i < 100; i++) {
        Counts counts(64);
        counts.fail_at = i % 64;
        EXPECT_EQ(7, run_counts(counts));
    }
}

TEST_P(ThreadPool, IsReadyForTheNextLoopAtOnceAndAfterSleeping) {
    for (int i = 0; i < 3000; i++) {
        Counts counts(2 + i % 7);
        ASSERT_EQ(0, run_counts(counts));
        ASSERT_TRUE(each_once(counts));
        if (i % 100 == 0) {
            std::this_thread::sleep_for(std::chrono::microseconds(400));
        }
    }
}

TEST_P(ThreadPool, RunsNestedLoops) {
    for (int i = 0; i < 50; i++) {
        run_nested(1 + i % 9, 1 + i);
    }
}

TEST_P(ThreadPool, ServesConcurrentCallers) {
    std::vector<std::thread> callers;
    for (int c = 0; c < 20; c++) {  // more than the pool has slots
        callers.emplace_back([c] {
            for (int i = 0; i < 60; i++) {
                if (c % 2 == 0) {
                    run_nested(4, 10);
                } else {
                    Counts counts(50);
                    EXPECT_EQ(0, run_counts(counts));
                    EXPECT_TRUE(each_once(counts));
                }
            }
        });
    }
    for (std::thread &t : callers) {
        t.join();
    }
}

TEST_P(ThreadPool, ChangesItsSizeWhileLoopsRun) {
    std::atomic<bool> resized{false};
    std::thread resizer([&] {
        std::minstd_rand random(1);
        for (int i = 0; i < 200; i++) {
            set_threads(1 + static_cast<int>(random() % 6));
            std::this_thread::sleep_for(std::chrono::microseconds(200));
        }
        resized = true;
    });
    while (!resized) {
        run_nested(5, 7);
    }
    resizer.join();
}

TEST_P(ThreadPool, StartsAgainAfterItsLastUserLeft) {
    for (int i = 0; i < 20; i++) {
        run_nested(5, 7);
        release_pool();
        acquire_pool(1);
    }
}

// Not in every loop: other processes want cores, too.
TEST(ThreadsOfThePool, GetCoresOfTheirOwn) {
    cpu_set_t allowed;
    ASSERT_EQ(0, sched_getaffinity(0, sizeof(allowed), &allowed));
    if (CPU_COUNT(&allowed) < 2) {
        GTEST_SKIP() << "there is one core";
    }
    acquire_pool(1);
    set_threads(2);
    bool apart = false;
    const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(20);
    while (!apart && std::chrono::steady_clock::now() < end) {
        Meeting meeting;
        parallel_for(nullptr, meet, 0, 2, reinterpret_cast<uint8_t *>(&meeting));
        apart = meeting.cores[0] != meeting.cores[1];
        std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
    EXPECT_TRUE(apart);
    cpu_set_t left;
    ASSERT_EQ(0, sched_getaffinity(0, sizeof(left), &left));
    EXPECT_TRUE(CPU_EQUAL(&allowed, &left)) << "nobody is bound to a core";
    release_pool();
}

INSTANTIATE_TEST_SUITE_P(Threads, ThreadPool, ::testing::Values(1, 2, 3, 8));

}  // namespace emulsion::runtime
