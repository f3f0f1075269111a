// Filters that run along the rows of an image work on a vector of rows at a time, and compute what they compute row by
// row.
#include <gtest/gtest.h>

#include "fusion/error.h"
#include "tests/autoscheduler/planned_images.h"

namespace emulsion {

namespace {

using Halide::Expr;
using Halide::Func;
using Halide::RDom;
using Halide::Var;

constexpr int kTurnedRow = 140;

// Right and left along every row; what others read at several places.
ImagePipeline right_and_left() {
    const Var x("x"), y("y"), c("c");
    const Func image = Halide::BoundaryConditions::repeat_edge(image_of_numbers());
    const RDom r(1, kTurnedRow - 1, "r");
    Func rows("rows"), out("out");
    rows(x, y) = image(x, y) * 3 + y;
    rows(r, y) = (rows(r, y) + rows(r - 1, y) * 5) % 1009;
    rows(kTurnedRow - 1 - r, y) =
        (rows(kTurnedRow - 1 - r, y) + rows(kTurnedRow - r, y) * 7) % 1013;
    out(x, y, c) = rows(x, y) + rows(x + 1, y + 2) * c;
    return {{out}, {}};
}

// Along the rows of planes, of what is computed for them; an update in between walks along all axes freely, and would
// gather were the others' vectors its own.
ImagePipeline planes() {
    const Var x("x"), y("y"), c("c");
    const Func image = Halide::BoundaryConditions::repeat_edge(image_of_numbers());
    const RDom r(1, kTurnedRow - 1, "r"), taps(0, 5, "taps");
    Func blurred("blurred"), rows("rows"), out("out");
    blurred(x, y) = image(x, y) + image(x + 1, y) + image(x, y + 1);
    rows(x, y, c) = blurred(x, y) + blurred(x + 3, y) + c;
    rows(x, y, c) += image(x + taps, y) * taps;
    rows(r, y, c) += rows(r - 1, y, c) % 31;
    out(x, y, c) = rows(x, y, c) + rows(x, y + 1, 2 - c);
    return {{out}, {}};
}

// Two values at a time.
ImagePipeline pairs_in_rows() {
    const Var x("x"), y("y"), c("c");
    const Func image = Halide::BoundaryConditions::repeat_edge(image_of_numbers());
    const RDom r(1, kTurnedRow - 1, "r");
    Func rows("rows"), out("out");
    rows(x, y) = {image(x, y), image(x, y) + x};
    rows(r, y) = {max(rows(r - 1, y)[0] - 1, rows(r, y)[0]),
                  rows(r - 1, y)[1] % 97 + rows(r - 1, y)[0]};
    out(x, y, c) = rows(x, y)[0] + rows(x, y + 1)[1] * c;
    return {{out}, {}};
}

// Of bytes, of which a vector has as many as a block of registers has not.
ImagePipeline rows_of_bytes() {
    const Var x("x"), y("y"), c("c");
    const Func image = Halide::BoundaryConditions::repeat_edge(image_of_numbers());
    const RDom r(1, kTurnedRow - 1, "r");
    Func rows("rows"), out("out");
    rows(x, y) = Halide::cast<uint8_t>(image(x, y));
    rows(r, y) = rows(r, y) / 2 + rows(r - 1, y) / 2;
    out(x, y, c) = Halide::cast<int>(rows(x, y)) + rows(x + 1, y + 2) * c;
    return {{out}, {}};
}

// Every row needs the one before it, from left to right.
ImagePipeline both_ways() {
    const Var x("x"), y("y"), c("c");
    const Func image = Halide::BoundaryConditions::repeat_edge(image_of_numbers());
    const RDom r(1, kTurnedRow - 1, 1, 110, "r");
    Func rows("rows"), out("out");
    rows(x, y) = image(x, y);
    rows(r.x, r.y) = (rows(r.x - 1, r.y) + rows(r.x, r.y - 1)) % 1009;
    out(x, y, c) = rows(x, y) + rows(x + 1, y) * c;
    return {{out}, {}};
}

// Where a row is written depends on what is read.
ImagePipeline histograms() {
    const Var x("x"), y("y"), c("c");
    const Func image = Halide::BoundaryConditions::repeat_edge(image_of_numbers());
    const RDom r(0, 90, "r");
    Func rows("rows"), out("out");
    rows(x, y) = 0;
    rows(clamp(image(r, y) / 2, 0, 119), y) += 1;
    out(x, y, c) = rows(x, y) * c + rows(x, y + 1);
    return {{out}, {}};
}

int turned_in(const Plan &plan) {
    int count = 0;
    for (const PlannedGroup &group : plan.groups) {
        for (const PlannedMember &member : group.members) {
            count += member.nest.parameters.count("vector_axis") != 0 ? 1 : 0;
        }
    }
    return count;
}

using Parameters = std::map<std::string, int64_t>;

ChangePlan with(const Parameters &parameters) {
    return change_nests([](const PlannedMember &member) { return member.op.rfind("rows", 0) == 0; },
                        parameters);
}

}  // namespace

TEST(Turned, AreStagesWhoseRowsRunInOrder) {
    EXPECT_EQ(1, turned_in(plan_of(right_and_left())));
    EXPECT_EQ(0, turned_in(plan_of(planes())));
    EXPECT_EQ(1, turned_in(plan_of(pairs_in_rows())));
    EXPECT_EQ(0, turned_in(plan_of(both_ways())));
    EXPECT_EQ(0, turned_in(plan_of(histograms())));
}

TEST(Turned, ComputeWhatRowsDo) {
    for (const MakeImages &make :
         {MakeImages(right_and_left), MakeImages(planes), MakeImages(pairs_in_rows),
          MakeImages(both_ways), MakeImages(histograms), MakeImages(rows_of_bytes)}) {
        expect_same_images(make);
        expect_same_images(make, {67, 41, 3});
    }
}

TEST(Turned, ComputeTheSameInAnyVectorsAndTiles) {
    for (const MakeImages &make : {MakeImages(right_and_left), MakeImages(planes),
                                   MakeImages(pairs_in_rows), MakeImages(rows_of_bytes)}) {
        const auto expected = run_stored(make);
        for (const Parameters &parameters :
             {Parameters{{"vector", 1}}, Parameters{{"vector", 16}}, Parameters{{"block1", 0}},
              Parameters{{"block1", 5}}, Parameters{{"vector", 4}, {"block1", 24}}}) {
            Parameters turned = parameters;
            turned.insert({{"vector_axis", 1}, {"lanes", 1}, {"unroll_axis", -1}});
            expect_equal_images(expected, run_planned(make, with(turned)));
        }
    }
    const MakeImages make = planes;
    expect_equal_images(
        run_stored(make),
        run_planned(make, with({{"vector_axis", 2}, {"lanes", 1}, {"unroll_axis", -1}})));
}

TEST(Turned, AreRefusedWhereRowsNeedEachOther) {
    EXPECT_THROW(run_planned(both_ways, with({{"vector_axis", 1}})), Error);
}

}  // namespace emulsion
