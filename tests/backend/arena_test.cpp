#include "backend/arena.h"

#include <algorithm>
#include <random>

#include <gtest/gtest.h>

namespace emulsion {

namespace {

std::vector<ArenaRequest> random_requests(std::mt19937 &random) {
    const int launches = 1 + static_cast<int>(random() % 60);
    std::vector<ArenaRequest> requests;
    for (int l = 0; l < launches; l++) {
        // One value per launch, as networks have them: most die soon, a few live long.
        const int reach = random() % 8 == 0 ? 1 + static_cast<int>(random() % 20) : 1;
        const int64_t bytes = int64_t{1} << (10 + random() % 10);
        requests.push_back(
            {bytes + static_cast<int64_t>(random() % 1000), l, std::min(l + reach, launches - 1)});
    }
    return requests;
}

int64_t most_alive(const std::vector<ArenaRequest> &requests) {
    int64_t most = 0;
    for (int l = 0; l < static_cast<int>(requests.size()); l++) {
        int64_t alive = 0;
        for (const ArenaRequest &r : requests) {
            alive += r.first <= l && l <= r.last ? r.bytes : 0;
        }
        most = std::max(most, alive);
    }
    return most;
}

}  // namespace

TEST(Arena, TensorsThatLiveAtTheSameTimeShareNoMemory) {
    for (unsigned seed = 1; seed <= 300; seed++) {
        std::mt19937 random(seed);
        const std::vector<ArenaRequest> requests = random_requests(random);
        const ArenaPlan plan = plan_arena(requests);
        for (size_t a = 0; a < requests.size(); a++) {
            EXPECT_EQ(0, plan.offsets[a] % kStorageAlignment);
            EXPECT_LE(plan.offsets[a] + requests[a].bytes, plan.bytes);
            for (size_t b = 0; b < a; b++) {
                const bool together =
                    requests[a].first <= requests[b].last && requests[b].first <= requests[a].last;
                const bool apart = plan.offsets[a] + requests[a].bytes <= plan.offsets[b] ||
                                   plan.offsets[b] + requests[b].bytes <= plan.offsets[a];
                ASSERT_TRUE(!together || apart) << "seed " << seed;
            }
        }
    }
}

TEST(Arena, IsLittleLargerThanWhatIsAliveAtOnce) {
    double worst = 0.0;
    for (unsigned seed = 1; seed <= 300; seed++) {
        std::mt19937 random(seed);
        const std::vector<ArenaRequest> requests = random_requests(random);
        worst = std::max(worst, static_cast<double>(plan_arena(requests).bytes) /
                                    static_cast<double>(most_alive(requests)));
    }
    EXPECT_LE(worst, 1.3);
}

TEST(Arena, AChainNeedsTheTwoLargestNeighbours) {
    const std::vector<ArenaRequest> chain = {{640, 0, 1}, {1280, 1, 2}, {640, 2, 3}, {64, 3, 4}};
    EXPECT_EQ(1920, plan_arena(chain).bytes);
    EXPECT_EQ(0, plan_arena({}).bytes);
}

}  // namespace emulsion
