#include "frontend/lower/smaller_unit.h"

#include <gtest/gtest.h>

#include "frontend/lower/lower_unit.h"
#include "frontend/lower/network.h"
#include "tests/lower/cpu_targets.h"
#include "tests/lower/network_maker.h"

namespace emulsion::test {

namespace {

constexpr const char *kAboutUnrolling =
    "Can only unroll for loops over a constant extent. Loop over x has extent n.";

// The only unit of a network, planned for AVX2.
Unit only_unit(const Graph &graph) {
    PlanOptions options;
    options.target = kAvx2Target;
    options.threads = 2;
    const PlannedNetwork network = plan_network(graph, options);
    EXPECT_EQ(1U, network.launches.size());
    return network.launches.at(0).unit;
}

Unit product_unit() {
    NetworkMaker m(1);
    m.mat_mul(m.input({26, 12}), m.constant({12, 33}));
    return only_unit(m.finish_all());
}

}  // namespace

TEST(SmallerUnit, TilesAreUnrolledOrNot) {
    const auto smaller = smaller_unit(product_unit());
    ASSERT_TRUE(smaller);
    EXPECT_EQ(0, smaller->plan.groups.at(0).members.at(0).nest.parameters.at("unroll_tile"));
    EXPECT_FALSE(smaller_unit(*smaller));
}

TEST(SmallerUnit, ItsScheduleSaysSo) {
    const auto smaller = smaller_unit(product_unit());
    ASSERT_TRUE(smaller);
    const std::string schedule = lower_unit(*smaller, "unit").schedule;
    EXPECT_NE(std::string::npos, schedule.find(".bound_storage(")) << schedule;
}

TEST(SmallerUnit, IsTakenWhereHalideCanNotUnroll) {
    const Unit unit = product_unit();
    int tries = 0;
    const Unit taken = with_tiles_that_unroll(unit, [&](const Unit &current) {
        if (tries++ == 0) {
            throw Halide::CompileError(kAboutUnrolling);
        }
        return current;
    });
    EXPECT_EQ(smaller_unit(unit)->plan, taken.plan);
}

TEST(SmallerUnit, IsNotTakenForOtherMistakes) {
    int tries = 0;
    EXPECT_THROW(with_tiles_that_unroll(product_unit(),
                                        [&](const Unit &) -> int {
                                            tries++;
                                            throw Halide::CompileError("something else");
                                        }),
                 Halide::CompileError);
    EXPECT_EQ(1, tries);
}

TEST(SmallerUnit, TheMistakeStaysWhereNoneIsLeft) {
    int tries = 0;
    EXPECT_THROW(with_tiles_that_unroll(product_unit(),
                                        [&](const Unit &) -> int {
                                            tries++;
                                            throw Halide::CompileError(kAboutUnrolling);
                                        }),
                 Halide::CompileError);
    EXPECT_EQ(2, tries);
}

// The rows of a product that a Gather reads in panels of 16, the last one smaller.
TEST(SmallerUnit, IsNotNeededForRowsOfAReaderInPanels) {
    NetworkMaker m(2);
    const TensorId product = m.mat_mul(m.input({3, 9, 26, 12}), m.constant({9, 12, 33}));
    m.node("Gather", {product, m.integers({-1})}, {1, 9, 26, 33}, {{"axis", int64_t{0}}});
    const Unit unit = only_unit(m.finish_all());
    const LoweredUnit lowered = lower_unit(unit, "unit");
    EXPECT_EQ(std::string::npos, lowered.schedule.find("bound_storage"));
}

}  // namespace emulsion::test
