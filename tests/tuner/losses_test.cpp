#include "tuner/losses.h"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

namespace emulsion {

namespace {

// First derivatives, and second ones along each score, are those of the value.
void expect_derivatives(const LossFunction &loss, size_t programs, uint64_t seed) {
    std::mt19937_64 engine(seed);
    std::vector<float> scores;
    for (size_t i = 0; i < programs; i++) {
        scores.push_back(
            static_cast<float>(std::generate_canonical<double, 30>(engine) * 4.0 - 2.0));
    }
    const Loss here = loss(scores);
    constexpr float kStep = 0.0625F;  // exact in binary
    for (size_t i = 0; i < programs; i++) {
        std::vector<float> more = scores, less = scores;
        more[i] += kStep;
        less[i] -= kStep;
        const double up = loss(more).value, down = loss(less).value;
        EXPECT_NEAR((up - down) / (2.0 * kStep), here.gradients[i], 5e-3) << "seed " << seed;
        EXPECT_NEAR((up - 2.0 * here.value + down) / (kStep * kStep), here.hessians[i], 2e-2)
            << "seed " << seed;
    }
}

TEST(Losses, HaveTheirDerivatives) {
    for (uint64_t seed = 1; seed <= 20; seed++) {
        expect_derivatives(squared_error({0.0F, 0.5F, 1.0F}, {0.25F, 0.5F, 1.0F}), 3, seed);
        expect_derivatives(logistic_error({0.0F, 1.0F, 1.0F, 0.0F}), 4, seed);
        expect_derivatives(ranking_error({0.1F, 1.0F, 0.4F, 0.0F, 0.7F}, {0, 0, 0, 1, 1}), 5, seed);
    }
}

TEST(Losses, OfRankingLookAtOrdersWithinGroupsOnly) {
    const LossFunction loss = ranking_error({0.0F, 1.0F, 1.0F, 0.0F}, {0, 0, 1, 1});
    const double right = loss(std::vector<float>{0.0F, 5.0F, 5.0F, 0.0F}).value;
    const double wrong = loss(std::vector<float>{5.0F, 0.0F, 0.0F, 5.0F}).value;
    EXPECT_LT(right, wrong);
    // Another level of a whole group changes nothing.
    EXPECT_NEAR(right, loss(std::vector<float>{-7.0F, -2.0F, 5.0F, 0.0F}).value, 1e-6);
}

TEST(Losses, AreFiniteFarOut) {
    const Loss loss = logistic_error({0.0F, 1.0F})(std::vector<float>{1e4F, -1e4F});
    EXPECT_TRUE(std::isfinite(loss.value));
    EXPECT_LT(0.0F, loss.hessians[0]);
}

}  // namespace

}  // namespace emulsion
