#include "fusion/in_parallel.h"

#include <gtest/gtest.h>

#include <atomic>
#include <string>
#include <vector>

#include "fusion/error.h"

namespace emulsion {

namespace {

TEST(InParallel, DoesEverythingOnce) {
    for (const int jobs : {-1, 1, 3, 100}) {
        std::vector<std::atomic<int>> times(37);
        in_parallel(times.size(), jobs, [&](size_t i) { times[i]++; });
        for (const auto &each : times) {
            EXPECT_EQ(1, each) << jobs;
        }
        in_parallel(0, jobs, [](size_t) { FAIL(); });
    }
}

TEST(InParallel, DoesTheRestAndThrowsTheFirstError) {
    std::atomic<int> done{0};
    try {
        in_parallel(20, 4, [&](size_t i) {
            done++;
            if (i == 7 || i == 13) {
                throw Error(std::to_string(i));
            }
        });
        FAIL();
    } catch (const Error &error) {
        EXPECT_STREQ("7", error.what());
    }
    EXPECT_EQ(20, done);
}

}  // namespace

}  // namespace emulsion
