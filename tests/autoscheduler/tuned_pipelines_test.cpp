// Points of the spaces of image pipelines compute what the pipelines compute with every Func stored; and what a file of such
// points does.
#include "autoscheduler/tuned_pipelines.h"

#include <gtest/gtest.h>

#include <chrono>
#include <map>
#include <random>
#include <utility>

#include "autoscheduler/apply.h"
#include "autoscheduler/image_analysis.h"
#include "autoscheduler/problem_of_images.h"
#include "fusion/error.h"
#include "fusion/image/decisions_at.h"
#include "fusion/image/image_space.h"
#include "fusion/image/plan_images.h"
#include "fusion/image/suggested_points.h"
#include "fusion/random_nest.h"
#include "tests/autoscheduler/planned_images.h"

namespace emulsion {

namespace {

using Halide::cast;
using Halide::Expr;
using Halide::Func;
using Halide::RDom;
using Halide::Var;

// Blurs of an edged image, of which the output reads several rows.
ImagePipeline sharpened() {
    const Var x("x"), y("y");
    const Func image = Halide::BoundaryConditions::repeat_edge(image_of_numbers());
    Func grey("grey"), down("down"), across("across"), out("out");
    grey(x, y) = image(x, y) * 3 + image(x + 1, y) / 2;
    down(x, y) = grey(x, y - 2) + 4 * grey(x, y) + grey(x, y + 2);
    across(x, y) = down(x - 1, y) + 2 * down(x, y) + down(x + 1, y);
    out(x, y) = cast<uint8_t>(Halide::clamp(2 * grey(x, y) - across(x, y) / 16, 0, 255));
    return {{out}, {}};
}

// Sums over windows, which the output reads at its own place, of what another stage makes.
ImagePipeline summed() {
    const Var x("x"), y("y");
    const Func image = Halide::BoundaryConditions::repeat_edge(image_of_numbers());
    const RDom window(-2, 5, -2, 5);
    Func squares("squares"), sum("sum"), out("out");
    squares(x, y) = image(x, y) * image(x, y) % 1021;
    sum(x, y) = 0;
    sum(x, y) += squares(x + window.x, y + window.y) * (window.x + 3);
    out(x, y) = sum(x, y) % 4093 + squares(x, y);
    return {{out}, {}};
}

// A scan down the columns, and a histogram of what comes of it.
ImagePipeline scanned() {
    const Var x("x"), y("y"), i("i");
    const Func image = Halide::BoundaryConditions::repeat_edge(image_of_numbers());
    const RDom rows(1, kEstimatedSize[1] - 1), all(0, kEstimatedSize[0], 0, kEstimatedSize[1]);
    Func scan("scan"), counts("counts"), out("out");
    scan(x, y) = image(x, y);
    scan(x, rows) += scan(x, rows - 1) / 2;
    counts(i) = 0;
    counts(Halide::clamp(image(all.x, all.y), 0, 255)) += 1;
    out(x, y) = scan(x, y) + counts(Halide::clamp(scan(x, y) / 2, 0, 255));
    return {{out}, {}};
}

// Halves of an image, and what lies between their rows.
ImagePipeline halved() {
    const Var x("x"), y("y");
    const Func image = Halide::BoundaryConditions::repeat_edge(image_of_numbers());
    Func soft("soft"), half("half"), twice("twice"), out("out");
    soft(x, y) = image(x, y - 1) + 2 * image(x, y) + image(x, y + 1);
    half(x, y) = soft(2 * x, 2 * y) + soft(2 * x + 1, 2 * y + 1);
    twice(x, y) = half(x / 2, y / 2) * 3 + half((x + 1) / 2, (y + 1) / 2);
    out(x, y) = twice(x, y) - twice(x, y + 2) + soft(x, y);
    return {{out}, {}};
}

const MakeImages kPipelines[] = {sharpened, summed, scanned, halved};
// As estimated, and not.
const std::vector<int> kSizes[] = {kEstimatedSize, {133, 89}, {113, 101}};

// Whether the point is one that can be had, which then computes that.
bool computes(const MakeImages &make, const Nest &point, const std::vector<int> &size,
              const std::vector<Halide::Buffer<>> &expected) {
    bool refused = false;
    const auto change = [&](const ImagePipeline &made, Plan &plan) {
        try {
            const CpuMachine machine = image_machine();
            plan = plan_images(machine, decisions_at(analyze_images(made.outputs), machine, point));
        } catch (const Error &error) {
            refused = true;
            EXPECT_EQ(std::string::npos, std::string(error.what()).find('\n'));
        }
    };
    const auto ours = run_planned(make, change, size);
    if (!refused) {
        expect_equal_images(expected, ours);
    }
    return !refused;
}

ImageGraph graph_of(const MakeImages &make) {
    const ImagePipeline made = make();
    estimate_outputs(made);
    return analyze_images(made.outputs);
}

TunedImages found_for(const std::string &problem, const Nest &point) {
    return {"host", 2, "", {{problem, {"sharpened", point, 0.9}}}};
}

}  // namespace

// For some seconds.
TEST(TunedPipelines, EveryPointComputesTheSame) {
    constexpr double kSeconds = 8.0;
    const auto begin = std::chrono::steady_clock::now();
    int computed = 0;
    uint64_t seed = std::random_device()();
    std::map<std::pair<size_t, size_t>, std::vector<Halide::Buffer<>>> expected;
    while (std::chrono::steady_clock::now() - begin < std::chrono::duration<double>(kSeconds)) {
        seed++;
        SCOPED_TRACE(seed);
        const size_t which = seed % std::size(kPipelines),
                     size = seed / std::size(kPipelines) % std::size(kSizes);
        const CpuMachine machine = image_machine();
        const ImageGraph graph = graph_of(kPipelines[which]);
        std::mt19937_64 engine(seed);
        Nest point{"images", {}};
        if (engine() % 2 == 0) {  // near what is planned; there is more to be had
            const std::vector<Nest> near = suggested_points(graph, machine, point, 40);
            point = near[engine() % near.size()];
        }
        NestSpace space = image_space(graph, machine);
        std::shuffle(space.parameters.begin(), space.parameters.end(), engine);
        space.parameters.resize(std::min<size_t>(space.parameters.size(), 1 + engine() % 6));
        for (const NestParameter &parameter : space.parameters) {
            point.parameters[parameter.name] = random_value(parameter.domain, engine);
        }
        try {
            auto &stored = expected[{which, size}];
            if (stored.empty()) {
                stored = run_stored(kPipelines[which], kSizes[size]);
            }
            computed += computes(kPipelines[which], point, kSizes[size], stored) ? 1 : 0;
        } catch (const Halide::Error &error) {
            FAIL() << error.what();
        }
        if (HasFailure()) {
            break;
        }
    }
    std::cout << computed << " points computed, the last with seed " << seed << "\n";
    EXPECT_GT(computed, 3);
}

// Where rows are kept, and where they aren't.
TEST(TunedPipelines, BlocksOfRowsComputeTheSame) {
    int computed = 0;
    for (const MakeImages &make : {MakeImages(sharpened), MakeImages(halved)}) {
        const ImageGraph graph = graph_of(make);
        const int last = static_cast<int>(graph.stages.size()) - 1;
        const auto stored = run_stored(make, kSizes[1]);
        for (const auto &[rows, slide] :
             {std::pair(2, 1), std::pair(4, 1), std::pair(2, 0), std::pair(4, 0)}) {
            SCOPED_TRACE(std::to_string(rows).append(slide != 0 ? ", kept" : ""));
            Nest point{"images", {}};
            for (int i = 0; i <= last; i++) {
                const ImageStage &stage = graph.stages[static_cast<size_t>(i)];
                if (!stage.is_output && !stage.is_wrapper) {
                    point.parameters[image_parameter(i, "place")] =
                        static_cast<int64_t>(Placement::Panel);
                }
                point.parameters[image_parameter(i, "row_block")] = rows;
            }
            point.parameters[image_parameter(last, "block0")] = 0;
            point.parameters[image_parameter(last, "block1")] = 32;
            point.parameters[image_parameter(last, "slide")] = slide;
            computed += computes(make, point, kSizes[1], stored) ? 1 : 0;
        }
    }
    EXPECT_GE(computed, 4);
}

// An input that has just what is needed is an error to Halide where more is asked for.
TEST(TunedPipelines, BlocksOfRowsAskForNoMoreOfInputs) {
    constexpr int kWidth = 160, kHeight = 96;
    Halide::Buffer<int> numbers(kWidth + 2, kHeight + 4);
    numbers.set_min(-1, -2);
    numbers.for_each_element([&](int x, int y) { numbers(x, y) = (x * 7 + y * 13) % 101; });
    const Var x("x"), y("y");
    for (const auto &[rows, slide] :
         {std::pair(1, 1), std::pair(2, 1), std::pair(4, 1), std::pair(4, 0)}) {
        SCOPED_TRACE(std::to_string(rows).append(slide != 0 ? ", kept" : ""));
        Halide::ImageParam image(Halide::Int(32), 2, "image");
        image.set_estimates({{-1, kWidth + 2}, {-2, kHeight + 4}});
        Func across("across"), down("down"), out("out");
        across(x, y) = image(x - 1, y) + image(x, y) * 2 + image(x + 1, y);
        down(x, y) = across(x, y - 1) + across(x, y) * 2 + across(x, y + 1);
        out(x, y) = down(x, y - 1) + down(x, y + 1) % 7;
        out.set_estimates({{0, kWidth}, {0, kHeight}});
        const ImageGraph graph = analyze_images({out});
        const int last = static_cast<int>(graph.stages.size()) - 1;
        Nest point{"images", {}};
        for (int i = 0; i <= last; i++) {
            if (graph.stages[static_cast<size_t>(i)].name != graph.stages.front().name) {
                point.parameters[image_parameter(i, "row_block")] = rows;
            }
        }
        for (const int i : {last - 1, last - 2}) {
            point.parameters[image_parameter(i, "place")] = static_cast<int64_t>(Placement::Panel);
        }
        point.parameters[image_parameter(last, "block0")] = 0;
        point.parameters[image_parameter(last, "block1")] = 32;
        point.parameters[image_parameter(last, "slide")] = slide;
        const CpuMachine machine = image_machine();
        apply_plan({out}, plan_images(machine, decisions_at(graph, machine, point)),
                   Halide::get_host_target(), false);
        image.set(numbers);
        const Halide::Buffer<int> result = out.realize({kWidth, kHeight});
        const auto blurred = [&](int column, int row) {
            const auto of_row = [&](int r) {
                return numbers(column - 1, r) + numbers(column, r) * 2 + numbers(column + 1, r);
            };
            return of_row(row - 1) + of_row(row) * 2 + of_row(row + 1);
        };
        EXPECT_EQ(blurred(5, 6) + blurred(5, 8) % 7, result(5, 7));
        EXPECT_EQ(blurred(159, 94) + blurred(159, 96) % 7, result(159, 95));
    }
}

TEST(TunedPipelines, AreTakenForTheirProblemAlone) {
    const CpuMachine machine = image_machine();
    const Halide::Target target("x86-64-linux");
    const ImagePipeline made = sharpened();
    estimate_outputs(made);
    const ImageGraph graph = analyze_images(made.outputs);
    const std::string problem = problem_of_images(made.outputs, graph, machine, target);
    const int last = static_cast<int>(graph.stages.size()) - 1;
    const Nest point{"images", {{image_parameter(last, "vectors"), 4}}};

    TunedPipelines tuned(found_for(problem, point), target, "tuned.json");
    EXPECT_NE("", tuned.warning());
    EXPECT_EQ(1U, tuned.decide(made.outputs, graph, machine).loops.size());
    EXPECT_EQ("", tuned.warning());

    TunedPipelines other(found_for("i0", point), target, "tuned.json");
    EXPECT_TRUE(other.decide(made.outputs, graph, machine).loops.empty());
    EXPECT_EQ(0U, other.warning().find("tuned.json has nothing for this pipeline"));
    EXPECT_EQ("", TunedPipelines().warning());

    const Nest wrong{"images", {{"99.vectors", 4}}};
    TunedPipelines broken(found_for(problem, wrong), target, "tuned.json");
    try {
        broken.decide(made.outputs, graph, machine);
        ADD_FAILURE();
    } catch (const Error &error) {
        EXPECT_STREQ("tuned.json: loop nest 'images' has no parameter '99.vectors'", error.what());
    }
}

TEST(TunedPipelines, AProblemIsNamedByWhatTheFuncsAre) {
    const auto problem_with = [](const std::string &target, int width) {
        const ImagePipeline made = sharpened();
        estimate_outputs(made);
        Func out = made.outputs.front();
        out.set_estimate(out.args()[0], 0, width);
        return problem_of_images(made.outputs, analyze_images(made.outputs), image_machine(),
                                 Halide::Target(target));
    };
    const std::string problem = problem_with("x86-64-linux", 120);
    EXPECT_EQ(problem, problem_with("x86-64-linux", 120));
    EXPECT_EQ(problem, problem_with("x86-64-linux-no_runtime-user_context", 120));
    EXPECT_NE(problem, problem_with("x86-64-linux-avx2", 120));
    EXPECT_NE(problem, problem_with("x86-64-linux", 121));
}

}  // namespace emulsion
