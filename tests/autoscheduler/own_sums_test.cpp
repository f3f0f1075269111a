// Sums that others read at several places are added up in registers and then stored: they are what they are without.
#include <gtest/gtest.h>

#include "fusion/error.h"
#include "tests/autoscheduler/planned_images.h"

namespace emulsion {

namespace {

using Halide::Expr;
using Halide::Func;
using Halide::RDom;
using Halide::Var;

// The largest value within a disc, then the smallest: the first one is read at many places.
ImagePipeline opened() {
    const Var x("x"), y("y"), c("c");
    const Func image = Halide::BoundaryConditions::repeat_edge(image_of_numbers());
    RDom disc(-3, 7, -3, 7, "disc");
    disc.where(disc.x * disc.x + disc.y * disc.y <= 10);
    Func largest("largest"), smallest("smallest"), out("out");
    largest(x, y) = 0;
    largest(x, y) = max(largest(x, y), image(x + disc.x, y + disc.y));
    smallest(x, y) = 1000;
    smallest(x, y) = min(smallest(x, y), largest(x + disc.x, y + disc.y));
    out(x, y, c) = smallest(x, y) * (c + 1);
    return {{out}, {}};
}

// Two values, each the sum of the other's terms as well.
ImagePipeline pairs() {
    const Var x("x"), y("y"), c("c");
    const Func image = Halide::BoundaryConditions::repeat_edge(image_of_numbers());
    const RDom r(0, 9);
    Func sums("sums"), out("out");
    sums(x, y) = {x, y};
    sums(x, y) = {sums(x, y)[0] + image(x, y + r), sums(x, y)[1] + image(x, y - r) * r};
    out(x, y, c) = sums(x - 2, y)[0] + sums(x + 2, y + 1)[1] * c;
    return {{out}, {}};
}

// Every iteration reads what earlier ones wrote beside it.
ImagePipeline scan() {
    const Var x("x"), y("y"), c("c");
    const Func image = Halide::BoundaryConditions::repeat_edge(image_of_numbers());
    const RDom r(1, 4);
    Func blurred("blurred"), out("out");
    blurred(x, y, c) = image(x, y) + c;
    blurred(x, y, r) = blurred(x, y, r - 1) + blurred(x, y, r);
    out(x, y, c) = blurred(x, y, c + 2) + blurred(x, y, c);
    return {{out}, {}};
}

int own_sums_of(const Plan &plan) {
    int count = 0;
    for (const PlannedGroup &group : plan.groups) {
        for (const PlannedMember &member : group.members) {
            count += member.nest.parameters.count("own_sums") != 0 ? 1 : 0;
        }
    }
    return count;
}

bool has_own_sums(const PlannedMember &member) {
    return member.nest.parameters.count("own_sums") != 0;
}

ChangePlan with_blocks_of_sums(int64_t vectors, int64_t rows) {
    return change_nests(
        has_own_sums,
        {{"vectors", vectors}, {"register_axis", rows > 1 ? 1 : -1}, {"register_rows", rows}});
}

}  // namespace

TEST(OwnSums, AreTakenWhereAnUpdateAddsToEveryElement) {
    EXPECT_EQ(2, own_sums_of(plan_of(opened())));
    EXPECT_EQ(1, own_sums_of(plan_of(pairs())));
    EXPECT_EQ(0, own_sums_of(plan_of(scan())));
}

TEST(OwnSums, AreThoseOfMemory) {
    for (const MakeImages &make : {MakeImages(opened), MakeImages(pairs), MakeImages(scan)}) {
        expect_same_images(make);
        expect_same_images(make, {67, 41, 3});
    }
}

TEST(OwnSums, AreTheSameInAnyBlocks) {
    for (const MakeImages &make : {MakeImages(opened), MakeImages(pairs)}) {
        const auto expected = run_stored(make);
        for (const auto &[vectors, rows] :
             {std::pair{1, 1}, std::pair{2, 3}, std::pair{3, 1}, std::pair{1, 7}}) {
            expect_equal_images(expected, run_planned(make, with_blocks_of_sums(vectors, rows)));
        }
    }
}

TEST(OwnSums, AreRefusedInRowsAlongTheirColumns) {
    const ChangePlan columns =
        change_nests(has_own_sums, {{"register_axis", 0}, {"register_rows", 2}});
    EXPECT_THROW(run_planned(opened, columns), Error);
}

TEST(OwnSums, AreRefusedWhereIterationsReadOthers) {
    const ChangePlan all = change_nests(
        [](const PlannedMember &member) { return member.nest.template_name == "tiles"; },
        {{"own_sums", 1}});
    EXPECT_THROW(run_planned(scan, all), Error);
}

}  // namespace emulsion
