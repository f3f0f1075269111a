// Pipelines of images that have more than pure Funcs of known size: planned, applied and run, they compute
// what they compute with every Func stored by serial loops.
#include <gtest/gtest.h>

#include <functional>

#include "autoscheduler/apply.h"
#include "autoscheduler/image_analysis.h"
#include "autoscheduler/schedule_source.h"
#include "fusion/error.h"
#include "fusion/image/plan_images.h"

namespace emulsion {

namespace {

using Halide::Buffer;
using Halide::Expr;
using Halide::Func;
using Halide::RDom;
using Halide::Var;

constexpr int kWidth = 120, kHeight = 96;

Machine machine() {
    Machine m;
    m.threads = 2;
    m.vector_bytes = 32;
    return m;
}

Buffer<int> numbers(int width = kWidth, int height = kHeight) {
    Buffer<int> buffer(width, height);
    buffer.for_each_element(
        [&](int x, int y) { buffer(x, y) = (x * 7919 + y * 104729 + x * y) % 251; });
    return buffer;
}

// The pipeline that `make` makes anew each time.
using Make = std::function<std::vector<Func>()>;

Halide::Realization run(const Make &make, bool planned, int width, int height,
                        const std::map<std::string, Halide::JITExtern> &externs) {
    const std::vector<Func> outputs = make();
    for (Func output : outputs) {
        output.set_estimates({{0, kWidth}, {0, kHeight}});
    }
    Halide::Pipeline pipeline(outputs);
    pipeline.set_jit_externs(externs);
    if (planned) {
        apply_plan(outputs, plan_images(analyze_images(outputs), machine()),
                   Halide::get_jit_target_from_environment());
    } else {
        for (const Func &output : outputs) {
            for (const auto &[name, function] :
                 Halide::Internal::find_transitive_calls(output.function())) {
                Func(function).compute_root();
            }
        }
    }
    return pipeline.realize({width, height});
}

void expect_same(const Make &make, int width = kWidth, int height = kHeight,
                 const std::map<std::string, Halide::JITExtern> &externs = {}) {
    const auto ours = run(make, true, width, height, externs);
    const auto stored = run(make, false, width, height, externs);
    for (size_t i = 0; i < stored.size(); i++) {
        const Buffer<int> a = ours[i], b = stored[i];
        int different = 0;
        b.for_each_element([&](int x, int y) { different += a(x, y) != b(x, y) ? 1 : 0; });
        EXPECT_EQ(0, different) << "elements of output " << i;
    }
}

Func bounded(const Buffer<int> &image) { return Halide::BoundaryConditions::repeat_edge(image); }

// A blur and what is left of the image, one computed from the other.
std::vector<Func> several_outputs() {
    const Var x("x"), y("y");
    const Func image = bounded(numbers());
    Func rows("rows"), blur("blur"), rest("rest");
    rows(x, y) = image(x - 1, y) + 2 * image(x, y) + image(x + 1, y);
    blur(x, y) = rows(x, y - 1) + 2 * rows(x, y) + rows(x, y + 1);
    rest(x, y) = 16 * image(x, y) - blur(x, y);
    return {blur, rest};
}

// Sums along columns from above, then sums of windows of these, by an update each.
std::vector<Func> updates() {
    const Var x("x"), y("y");
    const Func image = bounded(numbers());
    Func sums("sums"), windows("windows"), out("out");
    const RDom down(1, kHeight + 1), window(-2, 5);
    sums(x, y) = image(x, y);
    sums(x, down) += sums(x, down - 1);
    windows(x, y) = 0;
    windows(x, y) += sums(x + window, y);
    out(x, y) = windows(x, y) + windows(x, y + 1);
    return {out};
}

// Ranks of values by a histogram: a scatter, a scan, and a read where the image says.
std::vector<Func> data_dependent() {
    const Var x("x"), y("y"), i("i");
    const Func image = bounded(numbers());
    Func counts("counts"), ranks("ranks"), out("out");
    const RDom all(0, kWidth, 0, kHeight), up(1, 255);
    counts(i) = 0;
    counts(Halide::clamp(image(all.x, all.y), 0, 255)) += 1;
    ranks(i) = counts(0);
    ranks(up) = ranks(up - 1) + counts(up);
    out(x, y) = ranks(Halide::clamp(image(x, y), 0, 255));
    return {out};
}

// Column by column of two values at once.
std::vector<Func> tuples() {
    const Var x("x"), y("y");
    const Func image = bounded(numbers());
    Func pairs("pairs"), out("out");
    pairs(x, y) = Halide::Tuple(image(x, y) + image(x + 1, y), image(x, y) - image(x, y + 1));
    out(x, y) = pairs(x, y)[0] * 3 + pairs(x - 1, y + 1)[1];
    return {out};
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

std::vector<Func> external() {
    const Var x("x"), y("y");
    const Func image = bounded(numbers());
    Func before("before"), twice("twice"), out("out");
    before(x, y) = image(x, y) + image(x + 1, y);
    twice.define_extern("image_pipelines_test_double", {before}, Halide::Int(32), 2);
    out(x, y) = twice(x, y) + twice(x, y + 1);
    return {out};
}

}  // namespace

TEST(ImagePipelines, MayHaveSeveralOutputs) { expect_same(several_outputs); }

TEST(ImagePipelines, MayHaveUpdates) { expect_same(updates); }

TEST(ImagePipelines, MayReadWhereDataSay) { expect_same(data_dependent); }

TEST(ImagePipelines, MayHaveTuples) { expect_same(tuples); }

TEST(ImagePipelines, MayHaveExternStages) {
    expect_same(external, kWidth, kHeight,
                {{"image_pipelines_test_double", Halide::JITExtern(image_pipelines_test_double)}});
}

TEST(ImagePipelines, MayHaveParameters) {
    Halide::Param<int> radius("radius"), scale("scale");
    radius.set_estimate(2);
    radius.set(3);
    scale.set(5);
    scale.set_estimate(5);
    expect_same([&]() -> std::vector<Func> {
        const Var x("x"), y("y");
        const Func image = bounded(numbers());
        Func windows("windows"), out("out");
        const RDom window(-radius, 2 * radius + 1);
        windows(x, y) = 0;
        windows(x, y) += image(x, y + window);
        out(x, y) = windows(x, y) * scale + windows(x + 1, y);
        return {out};
    });
}

TEST(ImagePipelines, RunAtOtherSizesThanEstimated) {
    expect_same(several_outputs, 2 * kWidth + 3, 3 * kHeight + 1);
    expect_same(several_outputs, 50, 37);
    expect_same(updates, 50, 37);
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
    const Plan plan = plan_images(analyze_images({out}), machine());
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
    EXPECT_EQ(Placement::Inline, placement("wrapped"));
    EXPECT_NE(Placement::Inline, placement(edged.name()));
}

TEST(ImagePipelines, ArePlannedAlikeEveryTime) {
    // Halide numbers names that occur again.
    const auto planned = [](const std::string &prefix) {
        const Var x("x"), y("y");
        Halide::ImageParam image(Halide::Int(32), 2, prefix + "_image");
        image.set_estimates({{0, kWidth + 2}, {0, kHeight + 2}});
        Func rows(prefix + "_rows"), out(prefix + "_out");
        rows(x, y) = image(x, y) * image(x + 1, y) + image(x + 2, y);
        out(x, y) = rows(x, y) * rows(x, y + 1) + rows(x, y + 2);
        out.set_estimates({{0, kWidth}, {0, kHeight}});
        std::string text = to_json(plan_images(analyze_images({out}), machine()));
        for (size_t at = text.find(prefix); at != std::string::npos; at = text.find(prefix)) {
            text.replace(at, prefix.size(), "P");
        }
        return text;
    };
    EXPECT_EQ(planned("once"), planned("again"));
}

TEST(ImagePipelines, NameWhatLacksAnEstimate) {
    const Var x("x"), y("y");
    Halide::Param<int> size("size");
    Func table("table"), out("out");
    table(x) = x * x;
    out(x, y) = table(x * size) + y;
    out.set_estimates({{0, kWidth}, {0, kHeight}});
    try {
        analyze_images({out});
        FAIL() << "no error";
    } catch (const Error &e) {
        EXPECT_NE(std::string::npos, std::string(e.what()).find("table")) << e.what();
    }
}

}  // namespace emulsion
