#include "autoscheduler/apply.h"

#include <gtest/gtest.h>

#include <functional>

#include "autoscheduler/pipeline_analysis.h"
#include "fusion/error.h"
#include "fusion/planner.h"
#include "tests/autoscheduler/layer.h"

namespace emulsion {

namespace {

using test::Layer;

const Halide::Target kPlannedTarget("x86-64-linux");

// What applying the layer's own plan is refused with, once `damage` has changed it.
std::string refusal_of_plan(const std::function<void(Plan &)> &damage) {
    static int layers = 0;
    const Layer layer("refused" + std::to_string(layers++) + "_layer");
    Plan plan = layer.plan();
    damage(plan);
    try {
        apply_plan({layer.out}, plan, kPlannedTarget);
    } catch (const Error &e) {
        EXPECT_EQ(2, e.exit_code());
        return e.what();
    }
    return "";
}

void expect_refused(const std::string &words, const std::function<void(Plan &)> &damage) {
    const std::string message = refusal_of_plan(damage);
    EXPECT_NE(std::string::npos, message.find(words)) << "'" << message << "'";
}

PlannedMember &anchor(Plan &plan) { return plan.groups.at(0).members.at(0); }

std::map<std::string, int64_t> &parameters(Plan &plan) { return anchor(plan).nest.parameters; }

}  // namespace

TEST(ApplyPlan, AFusedLayerComputesWhatPlainLoopsDo) {
    for (int bytes : {16, 32, 64}) {
        for (int threads : {1, 4}) {
            Layer layer("fused" + std::to_string(bytes * 10 + threads) + "_layer");
            CpuMachine machine;
            machine.vector_bytes = bytes;
            machine.threads = threads;
            const Plan plan = layer.plan(machine);
            ASSERT_EQ(1U, plan.groups.size());
            EXPECT_EQ("matrix_product", plan.groups[0].members.at(0).nest.template_name);
            apply_plan({layer.out}, plan, kPlannedTarget);
            EXPECT_LT(layer.largest_error(), 1e-5);
        }
    }
}

// A Func inside has as many columns as a vector at least: what it reads is asked for all of them.
TEST(ApplyPlan, VectorsAreNoLongerThanTheColumnsThatAreEstimated) {
    constexpr int kColumns = 5, kRows = 4096;
    const Halide::Var x("x"), y("y");
    Halide::ImageParam in(Halide::Int(8), 2, "few_columns_in");
    Halide::Func stored("few_columns_stored"), out("few_columns_out");
    stored(x, y) = in(x, y) / Halide::cast<int8_t>(3);
    out(x, y) = stored(x, y) - stored(x, kRows - 1 - y);
    in.set_estimates({{0, kColumns}, {0, kRows}});
    out.set_estimates({{0, kColumns}, {0, kRows}});
    CpuMachine machine;
    machine.vector_bytes = 64;
    PlannerOptions options;
    options.policy = "none";
    options.owns_layouts = false;
    const Plan plan = make_plan(analyze_pipeline({out}, machine), options);
    ASSERT_EQ(2U, plan.groups.size());
    apply_plan({out}, plan, kPlannedTarget);
    out.infer_input_bounds({kColumns, kRows});
    EXPECT_EQ(kColumns, in.get().width());
    EXPECT_EQ(kRows, in.get().height());
    Halide::Buffer<int8_t>(in.get()).fill(7);
    const Halide::Buffer<int8_t> result = out.realize({kColumns, kRows});
    EXPECT_TRUE(result.all_equal(0));
}

TEST(ApplyPlan, ItsOwnPlanFits) {
    EXPECT_EQ("", refusal_of_plan([](Plan &) {}));
}

TEST(ApplyPlan, EveryFuncHasToBePlacedOnce) {
    expect_refused("does not place Func", [](Plan &p) { p.groups.clear(); });
    expect_refused("there is no Func 'another'", [](Plan &p) { anchor(p).op = "another"; });
    expect_refused("twice", [](Plan &p) { p.groups[0].members.push_back(anchor(p)); });
    expect_refused("twice", [](Plan &p) { p.groups.push_back(p.groups[0]); });
}

TEST(ApplyPlan, PlacementsHaveToSuitTheFuncs) {
    const auto place = [](size_t member, Placement placement) {
        return [=](Plan &p) { p.groups[0].members[member].parts[0].placement = placement; };
    };
    expect_refused("can't be inlined", place(0, Placement::Inline));
    expect_refused("two roots", place(0, Placement::Root));
    for (Placement placement : {Placement::Inline, Placement::Register, Placement::Panel}) {
        expect_refused("must be the root", place(1, placement));
    }
}

TEST(ApplyPlan, AGroupNeedsItsRootAndItsNest) {
    expect_refused("lacks its root or a loop nest", [](Plan &p) { anchor(p).nest = {}; });
    expect_refused("lacks its root or a loop nest",
                   [](Plan &p) { p.groups[0].members.pop_back(); });
    expect_refused("has no members", [](Plan &p) { p.groups[0].members.clear(); });
    expect_refused("unknown loop nest 'magic'",
                   [](Plan &p) { anchor(p).nest.template_name = "magic"; });
}

TEST(ApplyPlan, ParametersHaveToBeThereAndInRange) {
    expect_refused("lacks its parameter 'vector'", [](Plan &p) { parameters(p).erase("vector"); });
    for (const auto &[name, value] :
         std::vector<std::pair<std::string, int64_t>>{{"vector", 0},
                                                      {"vector", -4},
                                                      {"vector", 1 << 20},
                                                      {"vectors", 1 << 20},
                                                      {"width", 0},
                                                      {"height", 1000},
                                                      {"column_axis", 2},
                                                      {"column_axis", -1},
                                                      {"width_axis", 2},
                                                      {"width_axis", -2},
                                                      {"task_rows", 0},
                                                      {"unroll", 0},
                                                      {"padded", 2},
                                                      {"unroll", INT64_MAX},
                                                      {"columns_outermost", -1}}) {
        expect_refused("parameter '" + name + "'",
                       [&, n = name, v = value](Plan &p) { parameters(p)[n] = v; });
    }
}

TEST(ApplyPlan, NoAxisServesTwice) {
    expect_refused("axis twice",
                   [](Plan &p) { parameters(p)["width_axis"] = parameters(p)["column_axis"]; });
    expect_refused("axis twice", [](Plan &p) {
        parameters(p)["width_axis"] = -1;
        parameters(p)["height_axis"] = parameters(p)["column_axis"];
    });
    expect_refused("axis twice",
                   [](Plan &p) { parameters(p)["height_axis"] = parameters(p)["width_axis"]; });
}

TEST(ApplyPlan, AHeightNeedsAWidth) {
    expect_refused("no width", [](Plan &p) {
        parameters(p)["height_axis"] = parameters(p)["width_axis"];
        parameters(p)["width_axis"] = -1;
    });
}

TEST(ApplyPlan, TilesThatNoRegistersHoldAreRefused) {
    expect_refused("registers", [](Plan &p) {
        parameters(p)["vectors"] = 64;
        parameters(p)["width"] = 64;
    });
}

// A Func of a template that has another shape than the plan says: refused, not crashed.
TEST(ApplyPlan, OtherTemplatesFitOrAreRefused) {
    for (const char *name : {"elementwise", "row_reduction", "generic", "reduction", "pooling",
                             "depthwise", "convolution"}) {
        const std::string message =
            refusal_of_plan([&](Plan &p) { anchor(p).nest.template_name = name; });
        EXPECT_TRUE(message.empty() || message.find("parameter") != std::string::npos) << message;
    }
}

}  // namespace emulsion
