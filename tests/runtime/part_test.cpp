// Which thread computes what of a parallel loop.
#include "runtime/part.h"

#include <algorithm>
#include <atomic>
#include <functional>
#include <random>
#include <thread>
#include <vector>

#include <gtest/gtest.h>

#include "runtime/thread_pool.h"

namespace emulsion::runtime {

namespace {

constexpr int kPiecesPerThread = 64;  // up to that many, an iteration is taken by itself

using Body = std::function<int(int)>;

int call_body(void *, int index, uint8_t *closure) {
    return (*reinterpret_cast<const Body *>(closure))(index);
}

int loop(int size, Body body) {
    return parallel_for(nullptr, call_body, 0, size, reinterpret_cast<uint8_t *>(&body));
}

void wait_until(const std::function<bool()> &done) {
    while (!done()) {
        std::this_thread::yield();
    }
}

// A loop whose threads wait for each other in each of their first iterations, as many as every part
// has: nobody is late.
class Lockstep {
public:
    Lockstep(int size, int threads)
        : thread_of(static_cast<size_t>(size), -1), threads(threads), rounds(size / threads),
          taken(static_cast<size_t>(threads)) {}

    void run() {
        EXPECT_EQ(0, loop(static_cast<int>(thread_of.size()), [this](int index) {
                      const int thread = worker_number();
                      thread_of[static_cast<size_t>(index)] = thread;
                      auto &mine = taken[static_cast<size_t>(thread)];
                      mine.push_back(index);
                      const int round = static_cast<int>(mine.size());
                      if (round <= rounds) {
                          arrived++;
                          wait_until([&] { return arrived >= round * threads; });
                      }
                      return 0;
                  }));
    }

    // First what the threads took in lockstep, in the order in which they did.
    void expect_parts() const {
        const auto size = static_cast<int>(thread_of.size());
        for (int thread = 0; thread < threads; thread++) {
            const int begin = size * thread / threads;
            const auto &mine = taken[static_cast<size_t>(thread)];
            ASSERT_GE(mine.size(), static_cast<size_t>(rounds));
            for (int i = 0; i < rounds; i++) {
                EXPECT_EQ(begin + i, mine[static_cast<size_t>(i)]) << thread << " of " << threads;
            }
        }
    }

    std::vector<int> thread_of;  // of every iteration

private:
    int threads;
    int rounds;
    std::vector<std::vector<int>> taken;  // each written by one thread
    std::atomic<int> arrived{0};
};

// Takes a while and lets others run, in some iterations, so that threads get ahead of each other.
void dawdle(int index, uint32_t seed) {
    std::minstd_rand random(seed + static_cast<uint32_t>(index));
    random.discard(3);
    const uint32_t drawn = random() % 64;
    if (drawn == 0) {
        std::this_thread::yield();
    } else if (drawn < 4) {
        std::atomic<int> steps{0};
        while (steps++ < 2000) {
        }
    }
}

void expect_each_once(
    int size, uint32_t seed, const Body &inner = [](int) { return 0; }) {
    std::vector<std::atomic<int>> calls(static_cast<size_t>(size));
    EXPECT_EQ(0, loop(size, [&](int index) {
                  calls[static_cast<size_t>(index)]++;
                  dawdle(index, seed);
                  return inner(index);
              }));
    EXPECT_TRUE(std::all_of(calls.begin(), calls.end(), [](const auto &c) { return c == 1; }))
        << size << " iterations, seed " << seed;
}

// Loops of random sizes, now and then with others inside.
void run_random_loops(uint32_t seed) {
    std::minstd_rand random(seed);
    for (int i = 0; i < 60; i++) {
        const auto size = static_cast<int>(random() % (i % 10 == 0 ? 5000 : 40));
        if (i % 4 == 0 && size < 40) {
            expect_each_once(size, seed, [&](int index) {
                expect_each_once((index * 7 + i) % 30, seed + static_cast<uint32_t>(index));
                return 0;
            });
        } else {
            expect_each_once(size, seed);
        }
    }
}

class PartsOfLoops : public ::testing::TestWithParam<int> {
protected:
    int threads = GetParam();

    void SetUp() override {
        acquire_pool(1);
        set_threads(threads);
        loop(threads, [](int) { return 0; });  // starts the workers
        if (runtime::threads() < threads) {
            GTEST_SKIP() << "this machine gives no " << threads << " threads";
        }
    }
    void TearDown() override { release_pool(); }
};

}  // namespace

TEST(Part, IsTakenFromBothEnds) {
    Part part;
    EXPECT_EQ(0U, part.take_first(3).size());
    part.set({10, 20});
    Range taken = part.take_first(3);
    EXPECT_EQ(10U, taken.begin);
    EXPECT_EQ(13U, taken.end);
    taken = part.take_last(5);
    EXPECT_EQ(15U, taken.begin);
    EXPECT_EQ(20U, taken.end);
    EXPECT_EQ(2U, part.size());
    taken = part.take_last(5);
    EXPECT_EQ(13U, taken.begin);
    EXPECT_EQ(15U, taken.end);
    EXPECT_EQ(0U, part.size());
    EXPECT_EQ(0U, part.take_first(1).size());
    EXPECT_EQ(0U, part.take_last(1).size());
}

TEST(Part, GivesEachIterationToOneThread) {
    constexpr uint32_t kSize = 20000;
    Part part;
    part.set({0, kSize});
    std::vector<std::atomic<int>> calls(kSize);
    std::vector<std::thread> threads;
    for (uint32_t t = 0; t < 4; t++) {
        threads.emplace_back([&, t] {
            for (;;) {
                const Range range = t == 0 ? part.take_first(1) : part.take_last(t);
                if (range.size() == 0) {
                    return;
                }
                for (uint32_t i = range.begin; i < range.end; i++) {
                    calls[i]++;
                }
            }
        });
    }
    for (std::thread &t : threads) {
        t.join();
    }
    EXPECT_TRUE(std::all_of(calls.begin(), calls.end(), [](const auto &c) { return c == 1; }));
}

TEST_P(PartsOfLoops, AreTheSameThreadsInEqualLoopsWhereNobodyIsLate) {
    for (int rounds : {1, 2, 5, kPiecesPerThread, 200}) {
        std::vector<int> first;
        for (int i = 0; i < 3; i++) {
            Lockstep lockstep(rounds * threads, threads);
            lockstep.run();
            lockstep.expect_parts();
            if (i == 0) {
                first = lockstep.thread_of;
            }
            EXPECT_EQ(first, lockstep.thread_of) << rounds << " iterations of each thread";
        }
    }
}

TEST_P(PartsOfLoops, BeginAtMultiplesOfAShareWhereSharesAreNoWholeNumbers) {
    for (int size = threads; size < 3 * threads + 2; size++) {
        Lockstep lockstep(size, threads);
        lockstep.run();
        lockstep.expect_parts();
    }
}

TEST_P(PartsOfLoops, AreComputedOnceWhateverIsStolen) {
    run_random_loops(1);
    std::vector<std::thread> callers;
    for (uint32_t c = 0; c < 5; c++) {
        callers.emplace_back(run_random_loops, 10 + c);
    }
    for (std::thread &t : callers) {
        t.join();
    }
}

// The first worker to come stays in its first iteration until all others have been computed.
TEST_P(PartsOfLoops, AreComputedByOthersWhereAWorkerIsStuck) {
    if (threads == 1) {
        GTEST_SKIP() << "there are no workers";
    }
    for (int size : {threads, 3 * threads + 1, kPiecesPerThread * threads}) {
        std::atomic<int> stuck{0};  // the worker
        std::atomic<int> calls{0};
        std::atomic<int> calls_of_stuck{0};
        EXPECT_EQ(0, loop(size, [&](int) {
                      const int thread = worker_number();
                      int nobody = 0;
                      if (thread != 0 && stuck.compare_exchange_strong(nobody, thread)) {
                          wait_until([&] { return calls == size - 1; });
                      } else {
                          wait_until([&] { return stuck != 0; });
                      }
                      if (thread == stuck) {
                          calls_of_stuck++;
                      }
                      calls++;
                      return 0;
                  }));
        EXPECT_EQ(size, calls);
        EXPECT_EQ(1, calls_of_stuck);
    }
}

TEST_P(PartsOfLoops, AreComputedByTheCallerWhereNoWorkerComes) {
    std::atomic<int> inside{0};
    std::atomic<bool> released{false};
    std::thread other([&] {
        EXPECT_EQ(0, loop(threads, [&](int) {
                      inside++;
                      wait_until([&] { return released.load(); });
                      return 0;
                  }));
    });
    wait_until([&] { return inside == threads; });  // all workers are
    for (int size : {1, 2, 17, 1000, 100000}) {
        std::vector<int> calls(static_cast<size_t>(size));
        EXPECT_EQ(0, loop(size, [&](int index) {
                      calls[static_cast<size_t>(index)]++;
                      return worker_number();
                  }));
        EXPECT_EQ(std::vector<int>(static_cast<size_t>(size), 1), calls);
    }
    released = true;
    other.join();
}

INSTANTIATE_TEST_SUITE_P(Threads, PartsOfLoops, ::testing::Values(1, 2, 3, 8));

}  // namespace emulsion::runtime
