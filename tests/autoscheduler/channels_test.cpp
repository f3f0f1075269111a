#include "autoscheduler/channels.h"

#include <gtest/gtest.h>

#include "autoscheduler/regions.h"
#include "autoscheduler/templates/support/definition_loops.h"
#include "tests/autoscheduler/planned_images.h"

namespace emulsion {

namespace {

using Halide::Expr;
using Halide::Func;
using Halide::Var;

// Colours that are corrected by a matrix, blurred, and drawn towards the first: what is in the middle has the output's
// colours, and what that is made of has the first as well.
ImagePipeline corrected() {
    const Var x("x"), y("y"), c("c");
    Func mosaic("mosaic"), colours("colours"), matrix("matrix"), bright("bright"),
        blurred("blurred"), out("out");
    mosaic(x, y) = (x * 37 + y * 101) % 1021;
    colours(x, y, c) =
        Halide::mux(c, {mosaic(2 * x, 2 * y), mosaic(2 * x + 1, 2 * y) * 5 / 3,
                        mosaic(2 * x + 1, 2 * y + 1) / 3, mosaic(2 * x, 2 * y + 1) + 7});
    const auto row = [&](int r, int g, int b) {
        return (r * colours(x, y, 0) + g * colours(x, y, 1) + b * colours(x, y, 2)) / 256;
    };
    matrix(x, y, c) =
        Halide::mux(c, {row(300, -20, -24), row(-31, 299, -12), row(9, -70, 317), row(1, 2, 3)});
    bright(x, y, c) = matrix(x, y, c) * matrix(x, y, c) / 64 + matrix(x, y, c);
    blurred(x, y, c) = bright(x, y - 1, c) + 2 * bright(x, y, c) + bright(x, y + 1, c);
    out(x, y, c) =
        blurred(x - 1, y, c) + 2 * blurred(x, y, c) + blurred(x + 1, y, c) - blurred(x, y, 0) / 5;
    return {{out}, {}};
}

}  // namespace

TEST(Channels, AreThoseOfOutputsAndOfWhatFollowsFromThem) {
    const ImagePipeline made = corrected();
    estimate_outputs(made);
    const auto fixed = fixed_boxes(made.outputs), with_channels = boxes_with_channels(made.outputs);
    for (const auto &[name, box] : with_channels) {
        if (box.size() == 3) {
            EXPECT_EQ(-1, fixed_extent(fixed.at(name)[0])) << name;
            EXPECT_EQ(-1, fixed_extent(box[0])) << name;
            // Three colours are read of what is corrected in any call.
            EXPECT_EQ(3, fixed_extent(box[2])) << name;
        }
    }
}

TEST(Channels, AreConditionsOnAllOutputs) {
    const Var x("x"), y("y");
    Func pair("pair"), wide("wide"), tall("tall");
    pair(x, y) = x + y;
    wide(x, y) = pair(x, y) * 2;
    tall(x, y) = pair(y, x);
    pair.set_estimates({{0, 100}, {0, 2}});
    wide.set_estimates({{0, 100}, {0, 5}});
    tall.set_estimates({{0, 3}, {5, 4}});
    EXPECT_FALSE(channels_as_estimated({wide}).defined());
    const auto text = [](const Expr &e) {
        std::ostringstream out;
        out << e;
        return out.str();
    };
    const std::string both = text(channels_as_estimated({pair, tall, wide}));
    for (const auto &[what, count] : {std::pair(pair.name() + ".min.1", 0),
                                      {pair.name() + ".extent.1", 2},
                                      {tall.name() + ".min.1", 5},
                                      {tall.name() + ".extent.1", 4}}) {
        EXPECT_NE(std::string::npos, both.find("(" + what + " == " + std::to_string(count) + ")"))
            << both;
    }
    EXPECT_EQ(std::string::npos, both.find(wide.name())) << both;
}

TEST(Channels, AreUnrolledWhereStagesInsideDecideByThem) {
    const Plan plan = plan_of(corrected());
    const PlannedMember *matrix = member_beginning(plan, "matrix");
    ASSERT_NE(nullptr, matrix);
    ASSERT_TRUE(matrix->nest.parameters.contains("unroll_axis"));
    EXPECT_EQ(2, matrix->nest.parameters.at("unroll_axis"));
}

// What is specialised is simplified, and Halide ends with a signal where nobody reads `data` then.
TEST(Channels, AreLoopsWhereSimplifyingLosesReads) {
    const Var x("x"), y("y"), c("c");
    Func data("data"), same("same"), differs("differs");
    data(x, y) = x * y;
    same(x, y, c) = Halide::select(data(x, y) > data(x, y), c, 2);
    differs(x, y, c) = Halide::select(data(x, y) > data(x + 1, y), c, 2);
    EXPECT_FALSE(DefinitionLoops(same, 0).can_specialise());
    EXPECT_TRUE(DefinitionLoops(differs, 0).can_specialise());
}

TEST(Channels, AreRightForOthersThanEstimated) {
    for (const int count : {3, 1, 2, 4}) {
        SCOPED_TRACE(count);
        expect_same_images(corrected, {kEstimatedSize[0], kEstimatedSize[1], count});
        expect_same_images(corrected, {97, 61, count});
    }
}

}  // namespace emulsion
