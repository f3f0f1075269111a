// What is read for an argument that a Func ignores is stored while that Func is, or Halide fails.
#include "autoscheduler/ignored_arguments.h"

#include <gtest/gtest.h>

#include "tests/autoscheduler/planned_images.h"

namespace emulsion {

namespace {

using Halide::Expr;
using Halide::Func;
using Halide::RDom;
using Halide::Var;

std::set<std::string> ignoring_in(const ImagePipeline &made) {
    estimate_outputs(made);
    return funcs_ignoring_reads(Regions(made.outputs));
}

// Sums over windows are read for an index of what is the same for all indices, and for a factor.
ImagePipeline indexed(bool ignores) {
    const Var x("x"), y("y"), c("c");
    const Func image = Halide::BoundaryConditions::repeat_edge(image_of_numbers());
    const RDom r(0, 5, "r");
    Func smooth("smooth"), sums("sums"), row("row"), through("through"), out("out");
    smooth(x, y) = image(x, y) + image(x, y + 1);
    sums(x, y) = 0;
    sums(x, y) += smooth(x + r, y);
    row(x, y) = image(3, y) + (ignores ? Expr(0) : Expr(x));
    through(x, y) = row(x % 50, y);
    const Expr at = Halide::clamp(sums(x, y), 0, 90);
    out(x, y, c) = through(at + x, y) * c;
    return {{out}, {}};
}

// The same behind a let, as boundary conditions have them.
ImagePipeline mirrored() {
    const Var x("x"), y("y"), c("c");
    Func same("same"), sums("sums"), out("out");
    const RDom r(0, 3, "r");
    same(x, y) = y * 3;
    const Func mirror = Halide::BoundaryConditions::mirror_image(same, {{0, 120}, {0, 96}});
    sums(x, y) = 0;
    sums(x, y) += x * r + y;
    out(x, y, c) = mirror(sums(x, y) % 100, y) + c;
    return {{out}, {}};
}

}  // namespace

TEST(IgnoredArguments, AreThoseThatReadSomething) {
    EXPECT_EQ(ignoring_in(indexed(true)).size(), 1U);
    EXPECT_TRUE(ignoring_in(indexed(false)).empty());
    EXPECT_FALSE(ignoring_in(mirrored()).empty());
}

TEST(IgnoredArguments, LeaveWhatIsReadForThemInPlace) {
    expect_same_images([] { return indexed(true); });
    expect_same_images([] { return indexed(false); });
    expect_same_images(mirrored);
    expect_same_images(mirrored, {67, 41, 3});
}

}  // namespace emulsion
