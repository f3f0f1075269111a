#include "frontend/lower/smaller_unit.h"

#include <gtest/gtest.h>

#include "frontend/lower/lower_unit.h"
#include "frontend/lower/network.h"
#include "fusion/error.h"
#include "tests/lower/cpu_targets.h"
#include "tests/lower/network_maker.h"

namespace emulsion::test {

namespace {

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

// Tiles that are not unrolled, then single elements.
TEST(SmallerUnit, IsAtLastWithoutVectors) {
    const auto parameter = [](const Unit &unit, const char *name) {
        return unit.plan.groups.at(0).members.at(0).nest.parameters.at(name);
    };
    const auto smaller = smaller_unit(product_unit());
    ASSERT_TRUE(smaller);
    EXPECT_EQ(0, parameter(*smaller, "unroll_tile"));
    EXPECT_LT(1, parameter(*smaller, "vector"));
    const auto scalar = smaller_unit(*smaller);
    ASSERT_TRUE(scalar);
    EXPECT_EQ(1, parameter(*scalar, "vector"));
    EXPECT_FALSE(smaller_unit(*scalar));
}

TEST(SmallerUnit, ItsScheduleSaysSo) {
    const auto smaller = smaller_unit(product_unit());
    ASSERT_TRUE(smaller);
    const std::string schedule = lower_unit(*smaller, "unit").schedule;
    EXPECT_NE(std::string::npos, schedule.find(".bound_storage(")) << schedule;
}

TEST(SmallerUnit, IsTakenWhereHalideFails) {
    const Unit unit = product_unit();
    int tries = 0;
    const Unit taken = with_nests_that_compile(unit, [&](const Unit &current) {
        if (tries++ == 0) {
            throw Halide::InternalError("a simplifier's mistake");
        }
        return current;
    });
    EXPECT_EQ(smaller_unit(unit)->plan, taken.plan);
}

TEST(SmallerUnit, TheFirstMistakeStaysWhereNoneIsLeft) {
    int tries = 0;
    try {
        with_nests_that_compile(product_unit(), [&](const Unit &) -> int {
            tries++;
            throw Halide::CompileError(tries == 1 ? "the first" : "another");
        });
        FAIL();
    } catch (const Halide::CompileError &error) {
        EXPECT_STREQ("the first", error.what());
    }
    EXPECT_EQ(3, tries);
}

TEST(SmallerUnit, IsNotTakenForOurOwnRefusals) {
    int tries = 0;
    EXPECT_THROW(with_nests_that_compile(product_unit(),
                                         [&](const Unit &) -> int {
                                             tries++;
                                             throw Error("a plan that doesn't fit");
                                         }),
                 Error);
    EXPECT_EQ(1, tries);
}

// A nest outside of its template's bounds, though there are smaller ones inside.
TEST(SmallerUnit, IsNotTakenForNestsThatThePluginRefuses) {
    Unit unit = product_unit();
    unit.plan.groups.at(0).members.at(0).nest.parameters["width"] = 1000;
    try {
        lower_unit(unit, "unit");
        FAIL();
    } catch (const Error &error) {
        EXPECT_EQ(ErrorKind::Refused, error.kind());
        EXPECT_EQ(0U, error.message().find("loop nest 'matrix_product': parameter 'width' is 1000"))
            << error.message();
    }
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
