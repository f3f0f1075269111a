// Pipelines of images that have more than pure Funcs of known size: planned, applied and run, they compute
// what they compute with every Func stored by serial loops.
#include <gtest/gtest.h>

#include <regex>

#include "autoscheduler/image_analysis.h"
#include "fusion/error.h"
#include "fusion/image/plan_images.h"
#include "tests/autoscheduler/planned_images.h"

namespace emulsion {

namespace {

using Halide::Func;
using Halide::RDom;
using Halide::Var;

const int kWidth = kEstimatedSize[0], kHeight = kEstimatedSize[1];

Func bounded_numbers() { return Halide::BoundaryConditions::repeat_edge(image_of_numbers()); }

// A blur and what is left of the image, one computed from the other.
ImagePipeline several_outputs() {
    const Var x("x"), y("y");
    const Func image = bounded_numbers();
    Func rows("rows"), blur("blur"), rest("rest");
    rows(x, y) = image(x - 1, y) + 2 * image(x, y) + image(x + 1, y);
    blur(x, y) = rows(x, y - 1) + 2 * rows(x, y) + rows(x, y + 1);
    rest(x, y) = 16 * image(x, y) - blur(x, y);
    return {{blur, rest}, {}};
}

// Sums along columns from above, then sums of windows of these, by an update each.
ImagePipeline updates() {
    const Var x("x"), y("y");
    const Func image = bounded_numbers();
    Func sums("sums"), windows("windows"), out("out");
    const RDom down(1, kHeight + 1), window(-2, 5);
    sums(x, y) = image(x, y);
    sums(x, down) += sums(x, down - 1);
    windows(x, y) = 0;
    windows(x, y) += sums(x + window, y);
    out(x, y) = windows(x, y) + windows(x, y + 1);
    return {{out}, {}};
}

// Ranks of values by a histogram: a scatter, a scan, and a read where the image says.
ImagePipeline data_dependent() {
    const Var x("x"), y("y"), i("i");
    const Func image = bounded_numbers();
    Func counts("counts"), ranks("ranks"), out("out");
    const RDom all(0, kWidth, 0, kHeight), up(1, 255);
    counts(i) = 0;
    counts(Halide::clamp(image(all.x, all.y), 0, 255)) += 1;
    ranks(i) = counts(0);
    ranks(up) = ranks(up - 1) + counts(up);
    out(x, y) = ranks(Halide::clamp(image(x, y), 0, 255));
    return {{out}, {}};
}

// Column by column of two values at once.
ImagePipeline tuples() {
    const Var x("x"), y("y");
    const Func image = bounded_numbers();
    Func pairs("pairs"), out("out");
    pairs(x, y) = Halide::Tuple(image(x, y) + image(x + 1, y), image(x, y) - image(x, y + 1));
    out(x, y) = pairs(x, y)[0] * 3 + pairs(x - 1, y + 1)[1];
    return {{out}, {}};
}

extern "C" int image_pipelines_test_double(halide_buffer_t *in, halide_buffer_t *out) {
    if (in->host == nullptr) {
        for (int d = 0; d < 2; d++) {
            in->dim[d].min = out->dim[d].min;
            in->dim[d].extent = out->dim[d].extent;
        }
        return 0;
    }
    Halide::Runtime::Buffer<int> from(*in), to(*out);
    to.for_each_element([&](int x, int y) { to(x, y) = 2 * from(x, y); });
    return 0;
}

ImagePipeline external() {
    const Var x("x"), y("y");
    const Func image = bounded_numbers();
    Func before("before"), twice("twice"), out("out");
    before(x, y) = image(x, y) + image(x + 1, y);
    twice.define_extern("image_pipelines_test_double", {before}, Halide::Int(32), 2);
    out(x, y) = twice(x, y) + twice(x, y + 1);
    return {{out}, {}};
}

// Updates and sums that read backwards along the columns of what is stored, also through what is inlined.
ImagePipeline backwards() {
    const Var x("x"), y("y");
    const Func image = bounded_numbers();
    const RDom r(0, kWidth - 1), few(0, 3);
    Func columns("columns"), turned("turned"), tail("tail"), sums("sums"), near("near"), out("out");
    columns(x) = image(x, 3) * 5;
    turned(x) = columns(kWidth - 1 - x) + 1;
    tail(x) = x;
    tail(x) += columns(kWidth - 1 - x);
    sums(y) = 0;
    sums(y) += image(r, y) * turned(r);
    near(x) = 0;
    near(x) += columns(kWidth + 5 - x - few) * few;
    out(x, y) = tail(Halide::clamp(x, 0, kWidth - 1)) * sums(y) + near(x % 40);
    return {{out}, {}};
}

}  // namespace

TEST(ImagePipelines, MayReadBackwards) { expect_same_images(backwards, {kWidth, kHeight}); }

TEST(ImagePipelines, MayHaveSeveralOutputs) { expect_same_images(several_outputs); }

TEST(ImagePipelines, MayHaveUpdates) { expect_same_images(updates); }

TEST(ImagePipelines, MayReadWhereDataSay) { expect_same_images(data_dependent); }

TEST(ImagePipelines, MayHaveTuples) { expect_same_images(tuples); }

TEST(ImagePipelines, MayHaveExternStages) {
    expect_same_images(
        external, kEstimatedSize,
        {{"image_pipelines_test_double", Halide::JITExtern(image_pipelines_test_double)}});
}

TEST(ImagePipelines, MayHaveParameters) {
    Halide::Param<int> radius("radius"), scale("scale");
    radius.set_estimate(2);
    radius.set(3);
    scale.set(5);
    scale.set_estimate(5);
    expect_same_images([&]() -> ImagePipeline {
        const Var x("x"), y("y");
        const Func image = bounded_numbers();
        Func windows("windows"), out("out");
        const RDom window(-radius, 2 * radius + 1);
        windows(x, y) = 0;
        windows(x, y) += image(x, y + window);
        out(x, y) = windows(x, y) * scale + windows(x + 1, y);
        return {{out}, {}};
    });
}

TEST(ImagePipelines, RunAtOtherSizesThanEstimated) {
    expect_same_images(several_outputs, {2 * kWidth + 3, 3 * kHeight + 1});
    expect_same_images(several_outputs, {50, 37});
    expect_same_images(updates, {50, 37});
}

// Inside of reduction loops its test for the edge would make gathers of all vectors.
TEST(ImagePipelines, StoreABoundaryConditionThatAnUpdateReads) {
    const Var x("x"), y("y");
    Halide::ImageParam image(Halide::Int(32), 2, "image");
    Func wrapped("wrapped"), out("out");
    wrapped(x, y) = image(x, y);
    const Func edged =
        Halide::BoundaryConditions::repeat_edge(wrapped, {{0, image.width()}, {0, image.height()}});
    const RDom window(-3, 7);
    out(x, y) = 0;
    out(x, y) += edged(x + window, y);
    image.set_estimates({{0, kWidth}, {0, kHeight}});
    out.set_estimates({{0, kWidth}, {0, kHeight}});
    const Plan plan = plan_images(analyze_images({out}), image_machine());
    const auto placement = [&](const std::string &name) {
        for (const PlannedGroup &group : plan.groups) {
            for (const PlannedMember &member : group.members) {
                if (member.op == name) {
                    return member.parts.front().placement;
                }
            }
        }
        return Placement::Register;
    };
    EXPECT_EQ(Placement::Inline, placement(wrapped.name()));
    EXPECT_NE(Placement::Inline, placement(edged.name()));
}

TEST(ImagePipelines, ArePlannedAlikeEveryTime) {
    // Halide numbers names that occur again, and Halide 19 new ones, too.
    const auto planned = [](const std::string &prefix) {
        const Var x("x"), y("y");
        Halide::ImageParam image(Halide::Int(32), 2, prefix + "_image");
        image.set_estimates({{0, kWidth + 2}, {0, kHeight + 2}});
        Func rows(prefix + "_rows"), out(prefix + "_out");
        rows(x, y) = image(x, y) * image(x + 1, y) + image(x + 2, y);
        out(x, y) = rows(x, y) * rows(x, y + 1) + rows(x, y + 2);
        out.set_estimates({{0, kWidth}, {0, kHeight}});
        const std::string text = to_json(plan_images(analyze_images({out}), image_machine()));
        return std::regex_replace(text, std::regex(prefix + "|\\$[0-9]+"), "");
    };
    EXPECT_EQ(planned("once"), planned("again"));
}

// Compilers need minutes for a block of 1024 elements of many operations each.
TEST(ImagePipelines, TransposeLongExpressionsInSmallBlocks) {
    const auto rows_of_blocks = [](int operations) {
        const Var x("x"), y("y");
        const Func image = bounded_numbers();
        Func bytes("bytes"), out("out");
        bytes(x, y) = Halide::cast<uint8_t>(image(x, y));
        bytes(x, y) += Halide::cast<uint8_t>(x);
        Halide::Expr value = Halide::cast<int>(bytes(y, x));
        for (int i = 0; i < operations; i++) {
            value = (value * 5 + i) ^ (value >> 3);
        }
        out(x, y) = Halide::cast<uint8_t>(value);
        const Plan plan = plan_of({{out}, {}});
        const auto &nest = plan.groups.back().members.back().nest.parameters;
        return nest.at("transposes") == 0 ? 0 : nest.at("vector");
    };
    EXPECT_EQ(16, rows_of_blocks(0));
    EXPECT_EQ(8, rows_of_blocks(12));
    EXPECT_EQ(0, rows_of_blocks(200));
}

TEST(ImagePipelines, TransposeNoMoreRowsThanThereAre) {
    const auto rows_of_blocks = [](int rows) {
        const Var x("x"), y("y");
        Halide::ImageParam image(Halide::Float(32), 2, "image");
        Func out("out");
        out(x, y) = image(y, x);
        image.set_estimates({{0, rows}, {0, 160}});
        out.set_estimates({{0, 160}, {0, rows}});
        const Plan plan = plan_images(analyze_images({out}), image_machine());
        const auto &nest = plan.groups.back().members.back().nest.parameters;
        return nest.at("transposes") == 0 ? 0 : nest.at("vector");
    };
    EXPECT_EQ(8, rows_of_blocks(200));
    EXPECT_EQ(8, rows_of_blocks(9));
    EXPECT_EQ(4, rows_of_blocks(7));
    EXPECT_EQ(0, rows_of_blocks(3));
}

// LLVM does not end where 64 bytes that repeat what they read are doubled.
TEST(ImagePipelines, RepeatBytesInShortVectors) {
    const auto doubled = [](int divisor) {
        const Var x("x");
        const Func image = bounded_numbers();
        Func bytes("bytes"), repeated("repeated"), out("out");
        bytes(x) = Halide::cast<uint8_t>(image(x, 3));
        bytes(x) += Halide::cast<uint8_t>(x);
        repeated(x) = bytes(x / divisor) + bytes(x / divisor);
        repeated(x) += Halide::cast<uint8_t>(1);
        out(x) = Halide::cast<int>(repeated((x * 7) % kWidth));
        return ImagePipeline{{out}, {}};
    };
    const auto vector = [&](int divisor) {
        CpuMachine machine = image_machine();
        machine.vector_bytes = 64;
        const ImagePipeline made = doubled(divisor);
        estimate_outputs(made);
        const Plan plan = plan_images(analyze_images(made.outputs), machine);
        return member_beginning(plan, "repeated")->nest.parameters.at("vector");
    };
    EXPECT_EQ(64, vector(1));
    EXPECT_EQ(32, vector(2));
    expect_same_images([&] { return doubled(2); }, {kWidth});
}

// It takes minutes for hundreds of scalars that are loaded side by side.
TEST(ImagePipelines, ReadFewFixedColumnsSideBySide) {
    const auto reads_columns = [](int count) {
        const Var x("x"), y("y"), z("z");
        const Func image = bounded_numbers();
        Func stored("stored"), out("out");
        stored(x, y) = image(x, y);
        stored(x, y) += x;
        Halide::Expr sum = stored(y, x);  // transposed
        for (int i = 0; i < count; i++) {
            sum += stored(i * i, x);
        }
        out(x, y) = sum;
        return ImagePipeline{{out}, {}};
    };
    const auto side_by_side = [&](int count) {
        const auto nest = member_beginning(plan_of(reads_columns(count)), "out")->nest.parameters;
        return nest.at("vector") * (nest.at("transposes") != 0 ? nest.at("vector") : 1);
    };
    EXPECT_EQ(64, side_by_side(0));
    EXPECT_EQ(64, side_by_side(3));
    EXPECT_EQ(16, side_by_side(4));
    EXPECT_EQ(8, side_by_side(20));
    EXPECT_EQ(4, side_by_side(50));
    expect_same_images([&] { return reads_columns(8); }, {60, 50});
}

// Of what is read under y == 0 Halide takes more rows for needed than a block has.
TEST(ImagePipelines, AddUpOneRowAtATimeOfWhatIsReadForOneRow) {
    const auto sums = [](bool in_one_row, int axis) {
        const Var x("x"), y("y");
        const Halide::RDom r(0, 9, "r");
        const Func image = bounded_numbers();
        Func sum("sum"), out("out");
        sum(x, y) += image(x + r, y);
        const Halide::Expr place = axis == 0 ? x : y;
        out(x, y) = Halide::select(in_one_row ? place == 0 : place < 1, sum(x, y), x + y);
        return ImagePipeline{{out}, {}};
    };
    const auto rows = [&](bool in_one_row) {
        const auto nest = member_beginning(plan_of(sums(in_one_row, 1)), "out")->nest.parameters;
        return nest.count("register_rows") != 0 ? nest.at("register_rows") : 1;
    };
    EXPECT_LT(1, rows(false));
    EXPECT_EQ(1, rows(true));
    const Plan columns = plan_of(sums(true, 0));
    EXPECT_NE(Placement::Register, member_beginning(columns, "sum")->parts.back().placement);
    for (const int axis : {0, 1}) {
        expect_same_images([&] { return sums(true, axis); }, {kWidth, kHeight});
    }
}

TEST(ImagePipelines, NameTheOutputThatLacksAnEstimate) {
    const Var x("x"), y("y");
    Func out("lacking");
    out(x, y) = x + y;
    out.set_estimate(x, 0, kWidth);
    try {
        analyze_images({out});
        FAIL() << "no error";
    } catch (const Error &e) {
        EXPECT_NE(std::string::npos, std::string(e.what()).find("'" + out.name() + "'"))
            << e.what();
        EXPECT_NE(std::string::npos, std::string(e.what()).find("dimension 1")) << e.what();
    }
}

}  // namespace emulsion
