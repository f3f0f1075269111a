// What is decided of stages of image pipelines, and that it is right for inputs and outputs of any size.
#include <gtest/gtest.h>

#include "autoscheduler/apply.h"
#include "autoscheduler/image_analysis.h"
#include "fusion/error.h"
#include "fusion/image/plan_images.h"
#include "tests/autoscheduler/planned_images.h"

namespace emulsion {

namespace {

using Halide::Buffer;
using Halide::Expr;
using Halide::Func;
using Halide::Var;

const int kColumns = kEstimatedSize[0], kRows = kEstimatedSize[1];

const PlannedMember *member_of(const Plan &plan, const std::string &name) {
    for (const PlannedGroup &group : plan.groups) {
        for (const PlannedMember &member : group.members) {
            if (member.op == name) {
                return &member;
            }
        }
    }
    return nullptr;
}

// Every channel has an expression of its own, and all of them need the grey value.
ImagePipeline channels() {
    const Var x("x"), y("y"), c("c");
    const Func image = Halide::BoundaryConditions::repeat_edge(image_of_numbers());
    Func grey("grey"), out("out");
    grey(x, y) = image(x, y) * image(x, y) % 251 + image(x + 1, y) * 3;
    out(x, y, c) = Halide::mux(c, {grey(x, y), image(x, y) - grey(x, y), grey(x, y) * 2});
    return {{out}, {}};
}

// Too much for caches.
const std::vector<int> kLargeSize{1536, 1200, 3};

// Grey values are counted row by row, in scalar code, and looked up for every pixel.
ImagePipeline equalised() {
    const Var x("x"), y("y"), c("c");
    Func grey("grey"), counts("counts"), lookup("lookup"), out("out");
    grey(x, y) = Halide::clamp((x * 7 + y * 13 + x * y) & 255, 0, 255);
    const Halide::RDom columns(0, kLargeSize[0]), rows(0, kLargeSize[1]);
    counts(x, y) = 0;
    counts(grey(columns, y), y) += 1;
    lookup(x) = 0;
    lookup(x) += counts(x, rows);
    out(x, y, c) = lookup(grey(x, y)) * (c + 1) + grey(x, y);
    return {{out}, {}};
}

// Three stages that only `quality` reads, which two outputs read.
ImagePipeline weighed() {
    const Var x("x"), y("y"), e("e");
    const auto brightness = [&](int exposure) {
        return Halide::cast<float>((x * 7 + y * 13 + (e + exposure) * 31) & 255);
    };
    Func middle("middle"), spread("spread"), light("light"), quality("quality"), sum("sum"),
        out("out");
    middle(x, y, e) = Halide::fast_exp(-brightness(0) * brightness(0) / 4096.0F);
    spread(x, y, e) = Halide::sqrt(brightness(0) + 1.0F) / (brightness(1) + 2.0F);
    light(x, y, e) = Halide::sqrt(brightness(2) * brightness(0) + 3.0F);
    quality(x, y, e) = middle(x, y, e) * spread(x, y, e) * light(x, y, e);
    sum(x, y) = quality(x, y, 0) + quality(x, y, 1) + quality(x, y, 2);
    out(x, y, e) = quality(x, y, e) / sum(x, y);
    sum.set_estimates({{0, kLargeSize[0]}, {0, kLargeSize[1]}});
    return {{out, sum}, {}};
}

Plan plan_of_large(const ImagePipeline &made) {
    Func out = made.outputs.front();
    for (int axis = 0; axis < out.dimensions(); axis++) {
        out.set_estimate(out.args()[static_cast<size_t>(axis)], 0,
                         kLargeSize[static_cast<size_t>(axis)]);
    }
    return plan_images(analyze_images(made.outputs), image_machine());
}

// Its first gradients are read by the third at rows that are computed ahead, and by the output at earlier ones.
Func corners(const std::function<Expr(Expr, Expr)> &image) {
    const Var x("x"), y("y");
    Func grey("grey"), gx("gx"), gy("gy"), gxy("gxy"), out("out");
    grey(x, y) = image(x, y) * 3 + image(x, y) / 7;
    gx(x, y) = grey(x + 1, y - 1) - grey(x - 1, y - 1) + 2 * (grey(x + 1, y) - grey(x - 1, y)) +
               grey(x + 1, y + 1) - grey(x - 1, y + 1);
    gy(x, y) = grey(x - 1, y + 1) - grey(x - 1, y - 1) + 2 * (grey(x, y + 1) - grey(x, y - 1)) +
               grey(x + 1, y + 1) - grey(x + 1, y - 1);
    gxy(x, y) = gx(x, y) * gy(x, y);
    const auto squared = [&](const Func &f, int dx, int dy) {
        return f(x + dx, y + dy) * f(x + dx, y + dy);
    };
    Expr xx = 0, yy = 0, xy = 0;
    for (int dy = -1; dy <= 1; dy++) {
        for (int dx = -1; dx <= 1; dx++) {
            xx += squared(gx, dx, dy);
            yy += squared(gy, dx, dy);
            xy += gxy(x + dx, y + dy);
        }
    }
    out(x, y) = xx * yy - xy * xy;
    return out;
}

}  // namespace

TEST(ImageDecisions, PlaceAStageElsewhereForOneReader) {
    const ImagePipeline made = equalised();
    const Plan plan = plan_of_large(made);
    ASSERT_EQ(1U, plan.copies.size());
    const PlannedCopy &copy = plan.copies.front();
    EXPECT_EQ(1U, copy.readers.size());
    EXPECT_NE(member_of(plan, copy.of)->parts.front().placement,
              member_of(plan, copy.name)->parts.front().placement);
    EXPECT_EQ(plan, plan_from_json(to_json(plan)));
    apply_plan(made.outputs, plan, Halide::get_jit_target_from_environment());
    expect_equal_images(run_stored(equalised, kLargeSize),
                        {Func(made.outputs.front()).realize(kLargeSize)[0]});
}

// To inline it for both of its readers, the three would be stored.
TEST(ImageDecisions, StoreOneStageInsteadOfThreeForIt) {
    const Plan plan = plan_of_large(weighed());
    for (const char *name : {"quality", "middle", "spread", "light"}) {
        const PlannedMember *member = member_beginning(plan, name);
        ASSERT_NE(nullptr, member) << name;
        EXPECT_EQ(member->op.starts_with("quality"),
                  member->parts.front().placement == Placement::Root)
            << name << " of " << to_json(plan);
    }
}

TEST(ImageDecisions, RefuseCopiesThatDoNotFit) {
    const auto refuses = [](const std::string &what,
                            const std::function<void(PlannedCopy &, const Func &)> &change) {
        const ImagePipeline made = equalised();
        Plan plan = plan_of_large(made);
        PlannedCopy &copy = plan.copies.front();
        const std::string start =
            "the plan does not fit the pipeline: its copy '" + copy.name + "' ";
        change(copy, made.outputs.front());
        try {
            apply_plan(made.outputs, plan, Halide::get_host_target());
            ADD_FAILURE() << "no refusal: " << what;
        } catch (const Error &e) {
            EXPECT_EQ(start + what, e.what());
        }
    };
    refuses("is of 'gray', which is no Func",
            [](PlannedCopy &copy, const Func &) { copy.of = "gray"; });
    refuses("is an output's or of a Func that you scheduled yourself",
            [](PlannedCopy &copy, const Func &out) { copy.of = out.name(); });
    refuses("is for 'gray', which doesn't read it",
            [](PlannedCopy &copy, const Func &) { copy.readers = {"gray"}; });
    refuses("has no readers", [](PlannedCopy &copy, const Func &) { copy.readers.clear(); });
}

TEST(ImageDecisions, UnrollChannelsThatShareOrBranch) {
    const ImagePipeline made = channels();
    const Plan plan = plan_of(made);
    const PlannedMember *out = member_of(plan, made.outputs.front().name());
    ASSERT_NE(nullptr, out);
    EXPECT_EQ(2, out->nest.parameters.at("unroll_axis"));
}

TEST(ImageDecisions, AreRightForOtherChannelsThanEstimated) {
    for (const int count : {3, 1, 2, 4}) {
        SCOPED_TRACE(count);
        expect_same_images(channels, {kColumns, kRows, count});
        expect_same_images(channels, {kColumns + 13, kRows - 7, count});
    }
}

// Beyond the edge, each of the reads would load its elements one by one.
TEST(ImageDecisions, StoreABoundaryConditionThatIsReadFarBeyondTheEdge) {
    const auto placed = [](int step) {
        const Var x("x"), y("y");
        Halide::ImageParam image(Halide::Float(32), 2, "image");
        image.set_estimates({{0, kColumns}, {0, kRows}});
        const Func edged = Halide::BoundaryConditions::repeat_edge(image);
        Func out("out");
        Expr sum = 0.0F;
        for (int dx = -6; dx <= 6; dx++) {
            for (int dy = -2; dy <= 2; dy++) {
                sum += edged(x + dx * step, y + dy) * static_cast<float>(dx + 7 * dy);
            }
        }
        out(x, y) = sum;
        out.set_estimates({{0, kColumns}, {0, kRows}});
        const Plan plan = plan_images(analyze_images({out}), image_machine());
        const PlannedMember *member = member_of(plan, edged.name());
        return member == nullptr ? Placement::Inline : member->parts.front().placement;
    };
    EXPECT_NE(Placement::Inline, placed(16));
}

// An input that has just the rows that are needed is an error to Halide where more are asked for.
TEST(ImageDecisions, AskForNoMoreOfInputsThanIsNeeded) {
    constexpr int kEdge = 2, kWidth = 1536, kHeight = 640;
    Buffer<int> numbers(kWidth + 2 * kEdge, kHeight + 2 * kEdge);
    numbers.set_min(-kEdge, -kEdge);
    numbers.for_each_element([&](int x, int y) { numbers(x, y) = (x * 7 + y * 13) % 101; });
    Halide::ImageParam image(Halide::Int(32), 2, "image");
    image.set_estimates({{-kEdge, numbers.width()}, {-kEdge, numbers.height()}});
    const auto make = [&](bool planned) {
        const Func out = corners([&](const Expr &x, const Expr &y) { return image(x, y); });
        if (planned) {
            Func(out).set_estimates({{0, kWidth}, {0, kHeight}});
            const Plan plan = plan_images(analyze_images({out}), image_machine());
            apply_plan({out}, plan, Halide::get_host_target(), false);
        } else {
            for (const auto &[name, function] :
                 Halide::Internal::find_transitive_calls(out.function())) {
                Func(function).compute_root();
            }
        }
        image.set(numbers);
        return Buffer<int>(Func(out).realize({kWidth, kHeight}));
    };
    Buffer<int> expected = make(false), actual = make(true);
    expected.for_each_element(
        [&](int x, int y) { ASSERT_EQ(expected(x, y), actual(x, y)) << "at " << x << ", " << y; });
}

}  // namespace emulsion
