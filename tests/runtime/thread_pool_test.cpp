#include "runtime/thread_pool.h"

#include <array>
#include <atomic>
#include <chrono>
#include <filesystem>
#include <limits>
#include <numeric>
#include <random>
#include <string>
#include <thread>
#include <vector>

#include <gtest/gtest.h>
#include <sched.h>
#include <unistd.h>

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

// Where the calling thread may run, of a thread that isn't `owner`.
struct Allowed {
    std::thread::id owner = std::this_thread::get_id();
    std::atomic<int> workers{0};
    cpu_set_t cores{};
};

int look_where_allowed(void *, int, uint8_t *closure) {
    auto *allowed = reinterpret_cast<Allowed *>(closure);
    if (std::this_thread::get_id() != allowed->owner && allowed->workers++ == 0) {
        sched_getaffinity(0, sizeof(allowed->cores), &allowed->cores);
    }
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
    return 0;
}

void stay_on(int core) {
    cpu_set_t only;
    CPU_ZERO(&only);
    CPU_SET(core, &only);
    sched_setaffinity(0, sizeof(only), &only);
}

// Whether some thread of this process but the calling one may run on all of `allowed` but `core`.
bool one_is_kept_off(const cpu_set_t &allowed, int core) {
    cpu_set_t wanted = allowed;
    CPU_CLR(core, &wanted);
    for (const auto &task : std::filesystem::directory_iterator("/proc/self/task")) {
        const int thread = std::stoi(task.path().filename());
        cpu_set_t cores;
        if (thread != gettid() && sched_getaffinity(thread, sizeof(cores), &cores) == 0 &&
            CPU_EQUAL(&wanted, &cores)) {
            return true;
        }
    }
    return false;
}

template<typename Condition>
bool comes_true(Condition condition) {
    const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(20);
    while (!condition()) {
        if (std::chrono::steady_clock::now() > end) {
            return false;
        }
        std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
    return true;
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
    EXPECT_TRUE(comes_true([] {
        Meeting meeting;
        parallel_for(nullptr, meet, 0, 2, reinterpret_cast<uint8_t *>(&meeting));
        return meeting.cores[0] != meeting.cores[1];
    }));
    cpu_set_t left;
    ASSERT_EQ(0, sched_getaffinity(0, sizeof(left), &left));
    EXPECT_TRUE(CPU_EQUAL(&allowed, &left)) << "nobody is bound to a core";
    release_pool();
}

// The owner may have gone to another core since the last loop.
TEST(ThreadsOfThePool, WakeUpOnOtherCoresThanTheOwners) {
    cpu_set_t allowed;
    ASSERT_EQ(0, sched_getaffinity(0, sizeof(allowed), &allowed));
    if (CPU_COUNT(&allowed) < 2) {
        GTEST_SKIP() << "there is one core";
    }
    acquire_pool(1);
    set_threads(2);
    Counts first(100);
    run_counts(first);  // starts the worker while it may run everywhere
    for (int core = 0; core < CPU_SETSIZE; core++) {
        if (!CPU_ISSET(core, &allowed)) {
            continue;
        }
        stay_on(core);
        Allowed awake;
        EXPECT_TRUE(comes_true([&] {
            parallel_for(nullptr, look_where_allowed, 0, 4, reinterpret_cast<uint8_t *>(&awake));
            return awake.workers > 0;
        }));
        EXPECT_TRUE(CPU_EQUAL(&allowed, &awake.cores)) << "may run everywhere when it is awake";
        EXPECT_TRUE(comes_true([&] { return one_is_kept_off(allowed, core); })) << core;
    }
    sched_setaffinity(0, sizeof(allowed), &allowed);
    release_pool();
}

INSTANTIATE_TEST_SUITE_P(Threads, ThreadPool, ::testing::Values(1, 2, 3, 8));

}  // namespace emulsion::runtime
