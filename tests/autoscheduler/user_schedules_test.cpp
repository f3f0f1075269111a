// What users schedule themselves stays as it is, and the rest is scheduled around it.
#include <gtest/gtest.h>

#include <optional>

#include "autoscheduler/apply.h"
#include "autoscheduler/image_analysis.h"
#include "autoscheduler/network_share.h"
#include "autoscheduler/pipeline_analysis.h"
#include "fusion/error.h"
#include "fusion/image/plan_images.h"
#include "tests/autoscheduler/planned_images.h"

namespace emulsion {

namespace {

using Halide::Expr;
using Halide::Func;
using Halide::RDom;
using Halide::RVar;
using Halide::Tuple;
using Halide::Var;

// Three stages and a sum, of which the test schedules some.
struct Stages {
    Func sums{"sums"}, scaled{"scaled"}, windows{"windows"}, out{"out"};
    Var x{"x"}, y{"y"}, block{"block"}, rest{"rest"};
    RDom window{0, 7};

    Stages() {
        const Func in = Halide::BoundaryConditions::repeat_edge(image_of_numbers());
        sums(x, y) = in(x, y) + in(x + 1, y) * in(x, y + 1);
        scaled(x, y) = sums(x, y) * 3 + sums(x + 1, y);
        windows(x, y) = 0;
        windows(x, y) += scaled(x + window, y) * window;
        out(x, y) = windows(x, y) + windows(x, y + 1) - scaled(x, y - 1);
    }
};
using Scheduling = std::function<void(Stages &)>;

// Loops, levels and memory of a Func, as text.
std::string schedule_of(const Func &f) {
    const Halide::Internal::Function &function = f.function();
    std::string text;
    const auto add = [&](Halide::LoopLevel level) { text += level.lock().to_string() + ";"; };
    add(function.schedule().compute_level());
    add(function.schedule().store_level());
    for (const auto &dim : function.schedule().storage_dims()) {
        text += dim.var + ",";
    }
    const auto add_loops = [&](const Halide::Internal::Definition &definition) {
        for (const auto &dim : definition.schedule().dims()) {
            text += dim.var + std::to_string(static_cast<int>(dim.for_type)) + " ";
        }
        text += std::to_string(definition.schedule().splits().size()) + "|";
    };
    add_loops(function.definition());
    for (const auto &update : function.updates()) {
        add_loops(update);
    }
    return text;
}

void expect_kept(const Scheduling &schedule, const std::vector<Func Stages::*> &fixed) {
    expect_same_images([&]() -> ImagePipeline {
        Stages stages;
        schedule(stages);
        return {{stages.out}, {}};
    });
    Stages stages;
    schedule(stages);
    std::vector<std::string> before;
    for (const auto f : fixed) {
        before.push_back(schedule_of(stages.*f));
    }
    const Plan plan = plan_of({{stages.out}, {}});
    EXPECT_FALSE(is_network({stages.out}, analyze_images({stages.out}), image_machine()));
    apply_plan({stages.out}, plan, Halide::get_jit_target_from_environment());
    for (size_t i = 0; i < fixed.size(); i++) {
        EXPECT_EQ(before[i], schedule_of(stages.*fixed[i]));
    }
}

std::string refusal(const std::function<void()> &call) {
    try {
        call();
    } catch (const Error &e) {
        return e.what();
    }
    return "";
}

}  // namespace

TEST(UserSchedules, MayStoreAFunc) {
    expect_same_images([]() -> ImagePipeline {
        Stages s;
        s.sums.compute_root();
        return {{s.out}, {}};
    });
    Stages s;
    s.sums.compute_root();
    for (const PlannedGroup &group : plan_of({{s.out}, {}}).groups) {
        for (const PlannedMember &member : group.members) {
            if (member.op == s.sums.name()) {
                EXPECT_EQ(Placement::Root, member.parts.front().placement);
                EXPECT_EQ("tiles", member.nest.template_name) << "its loops are free";
            }
        }
    }
}

TEST(UserSchedules, MayHaveLoops) {
    expect_kept(
        [](Stages &s) {
            s.sums.compute_root()
                .split(s.y, s.block, s.rest, 16)
                .vectorize(s.x, 4)
                .parallel(s.block);
        },
        {&Stages::sums});
}

TEST(UserSchedules, MayHaveLoopsOfUpdates) {
    expect_kept(
        [](Stages &s) {
            s.windows.compute_root();
            s.windows.update().reorder(s.x, s.window.x, s.y).vectorize(s.x, 8).unroll(s.window.x);
        },
        {&Stages::windows});
}

TEST(UserSchedules, MayHaveLoopsWithoutAPlace) {
    const Scheduling schedule = [](Stages &s) { s.scaled.vectorize(s.x, 4).parallel(s.y); };
    expect_same_images([&]() -> ImagePipeline {
        Stages s;
        schedule(s);
        return {{s.out}, {}};
    });
}

TEST(UserSchedules, MayHaveOutputsWhoseLoopsComputeOthers) {
    expect_kept(
        [](Stages &s) {
            s.out.split(s.y, s.block, s.rest, 8).parallel(s.block);
            s.windows.compute_at(s.out, s.block).vectorize(s.x, 8);
            s.windows.update().vectorize(s.x, 8);
        },
        {&Stages::out, &Stages::windows});
}

// `y` of the output would be no loop any more, if that were cut into tiles.
TEST(UserSchedules, MayComputeOthersInLoopsThatAreNotScheduled) {
    expect_kept([](Stages &s) { s.windows.store_root().compute_at(s.out, s.y); },
                {&Stages::out, &Stages::windows});
}

// What is between two Funcs, of which one is computed in loops of the other, has to be there as well.
TEST(UserSchedules, InlineWhatIsBetweenFuncsThatAreScheduled) {
    expect_kept(
        [](Stages &s) {
            s.windows.compute_at(s.out, s.y);
            s.sums.compute_at(s.out, s.y);
        },
        {&Stages::sums, &Stages::windows});
    Stages s;
    s.out.tile(s.x, s.y, s.block, s.rest, s.x, s.y, 8, 8);
    s.sums.compute_at(s.out, s.block);
    EXPECT_EQ("'" + s.scaled.name() + "' is computed in loops of '" + s.out.name() +
                  "', but read by '" + s.windows.name() +
                  "', which isn't: call compute_root on the former or compute_at on the latter",
              refusal([&] {
                  plan_of({{s.out}, {}});
              }));
}

TEST(UserSchedules, MaySpecialise) {
    Halide::Param<int> wide("wide");
    wide.set(1);
    for (const auto f : {&Stages::sums, &Stages::windows, &Stages::out}) {
        expect_kept([&](Stages &s) { (s.*f).specialize(wide == 1).vectorize(s.x, 4); }, {});
    }
    expect_kept([&](Stages &s) { s.windows.update().specialize(wide == 2).vectorize(s.x, 4); }, {});
}

TEST(UserSchedules, MaySayHowFuncsAreStored) {
    expect_kept([](Stages &s) { s.scaled.memoize(); }, {});
    expect_kept([](Stages &s) { s.scaled.compute_root().reorder_storage(s.y, s.x); }, {});
    expect_kept([](Stages &s) { s.sums.store_in(Halide::MemoryType::Heap).align_storage(s.x, 16); },
                {});
    expect_kept([](Stages &s) { s.scaled.compute_root().async(); }, {});
}

TEST(UserSchedules, MayFuseLoops) {
    expect_kept(
        [](Stages &s) {
            s.sums.compute_root();
            s.scaled.compute_root();
            Func other("other");
            other(s.x, s.y) = s.sums(s.x, s.y) + 1;
            other.compute_root();
            s.scaled.compute_with(other, s.y);
            s.out(s.x, s.y) += other(s.x, s.y);
        },
        {});
}

TEST(UserSchedules, MaySplitReductions) {
    expect_same_images([]() -> ImagePipeline {
        Stages s;
        RVar outer("outer"), inner("inner");
        const Var u("u");
        s.windows.compute_root();
        s.windows.update().split(s.window.x, outer, inner, 3).rfactor(outer, u).compute_root();
        return {{s.out}, {}};
    });
}

TEST(UserSchedules, MayHaveWrappers) {
    expect_same_images([]() -> ImagePipeline {
        Stages s;
        s.scaled.in(s.windows).compute_root().vectorize(s.x, 4);
        s.sums.compute_root();
        return {{s.out}, {}};
    });
    expect_same_images([]() -> ImagePipeline {
        Stages s;
        s.out.split(s.y, s.block, s.rest, 8);
        s.scaled.compute_root();
        s.scaled.in(s.out).compute_at(s.out, s.block);
        return {{s.out}, {}};
    });
}

TEST(UserSchedules, StayWhenPipelinesAreScheduledTwice) {
    Stages s;
    for (int i = 0; i < 2; i++) {
        const Plan plan = plan_of({{s.out}, {}});
        apply_plan({s.out}, plan, Halide::get_jit_target_from_environment());
    }
    const Halide::Buffer<int> result = s.out.realize({kEstimatedSize[0], kEstimatedSize[1]});
    EXPECT_EQ(kEstimatedSize[0], result.width());
}

TEST(UserSchedules, AreNotReplacedByPlans) {
    Stages planned;
    const Plan plan = plan_of({{planned.out}, {}});
    planned.out.vectorize(planned.x, 4);
    const std::string says =
        refusal([&] { apply_plan({planned.out}, plan, Halide::get_host_target()); });
    EXPECT_NE(std::string::npos, says.find("Func '" + planned.out.name() +
                                           "' has a schedule of your own, which the plan would "
                                           "replace by loop nest 'tiles'"))
        << says;
}

TEST(UserSchedules, AreBeyondNetworks) {
    Stages s;
    s.sums.compute_root();
    s.out.set_estimates({{0, kEstimatedSize[0]}, {0, kEstimatedSize[1]}});
    const std::string says = refusal([&] { analyze_pipeline({s.out}, image_machine()); });
    EXPECT_NE(std::string::npos,
              says.find("Func '" + s.sums.name() + "' has a schedule of your own"))
        << says;
}

TEST(Plans, AreForTheTargetThatTheyWereMadeFor) {
    Stages s;
    const Plan plan = plan_of({{s.out}, {}});
    const Halide::Target gpu("x86-64-linux-opencl");
    EXPECT_EQ("the plan was made for a CPU: target 'x86-64-linux-opencl' can't have its loop nest "
              "'tiles'",
              refusal([&] { apply_plan({s.out}, plan, gpu); }));
}

}  // namespace emulsion
