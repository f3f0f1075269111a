// An exclusive or that is inlined into an index has no bounds for Halide.
#include "autoscheduler/index_values.h"

#include <gtest/gtest.h>

#include "tests/autoscheduler/planned_images.h"

namespace emulsion {

namespace {

using Halide::Expr;
using Halide::Func;
using Halide::Var;

// What is looked up decides, directly or through another stage, where it is looked up again.
ImagePipeline looked_up(bool through) {
    const Var x("x"), y("y"), c("c");
    const Func image = Halide::BoundaryConditions::repeat_edge(image_of_numbers());
    Func table("table"), mixed("mixed"), place("place"), out("out");
    table(x, y) = Halide::cast<uint8_t>(image(x, y) + image(x + 1, y));
    mixed(x, y) = Halide::cast<int>(table(x, y)) ^ (image(y, x) & 255);
    place(x, y) = mixed(x, y) / 2;
    const Expr at = through ? place(x, y) : mixed(x, y);
    out(x, y, c) =
        Halide::cast<int>(table(Halide::clamp(at, 0, 100), Halide::clamp(at, 0, 60))) * c;
    return {{out}, {}};
}

std::set<std::string> without_bounds(const ImagePipeline &made) {
    estimate_outputs(made);
    return index_values_without_bounds(Regions(made.outputs));
}

}  // namespace

TEST(IndexValues, WithAnExclusiveOrAreStored) {
    for (const bool through : {false, true}) {
        EXPECT_EQ(without_bounds(looked_up(through)).size(), 1U);
        expect_same_images([=] { return looked_up(through); });
        expect_same_images([=] { return looked_up(through); }, {67, 41, 3});
    }
}

}  // namespace emulsion
