// Steps of reads that only a call decides are planned for as if they were one, and may be anything.
#include "autoscheduler/unit_steps.h"

#include <gtest/gtest.h>

#include "tests/autoscheduler/planned_images.h"

namespace emulsion {

namespace {

using Halide::Expr;
using Halide::Func;
using Halide::Param;
using Halide::RDom;
using Halide::Var;

// What is read at every `step`th place, and each `step` times.
ImagePipeline strided(int value) {
    const Var x("x"), y("y"), c("c");
    Param<int> step("step");
    step.set(value);
    step.set_estimate(1);
    const Func image = Halide::BoundaryConditions::repeat_edge(image_of_numbers());
    const RDom r(0, 3, 0, 3);
    Func blurred("blurred"), coarse("coarse"), out("out");
    blurred(x, y) = image(x, y) + image(x + 1, y + 1);
    coarse(x, y) = 0;
    coarse(x, y) += blurred(x * step + r.x, y * step + r.y) * (r.x + 1);
    out(x, y, c) = coarse(x / step, y) + coarse(x, y / step + c) + x % step;
    return {{out}, {}};
}

MakeImages with_step(int step) {
    return [=] { return strided(step); };
}

int specialised_in(const Plan &plan) {
    int count = 0;
    for (const PlannedGroup &group : plan.groups) {
        for (const PlannedMember &member : group.members) {
            count += member.nest.parameters.count("unit_steps") != 0 ? 1 : 0;
        }
    }
    return count;
}

std::string text_of(const Expr &e) {
    std::ostringstream text;
    text << Halide::Internal::simplify(e);
    return text.str();
}

}  // namespace

TEST(UnitSteps, AreWhatIndicesAreMultipliedAndDividedBy) {
    const Var x("x"), y("y");
    const Param<int> step("step"), pad("pad");
    EXPECT_EQ(text_of(x + 2), text_of(with_unit_steps(x * step + 2)));
    EXPECT_EQ(text_of(x + y), text_of(with_unit_steps((step + 1) * x + y / (step * 2))));
    EXPECT_EQ(text_of(x / 2 + pad), text_of(with_unit_steps(x / 2 + pad)));
    EXPECT_EQ(text_of(x * y), text_of(with_unit_steps(x * y)));
    EXPECT_EQ(text_of(pad * step), text_of(with_unit_steps(pad * step)));
}

TEST(UnitSteps, SpecialiseTheLoopsThatReadAtThem) {
    EXPECT_GT(specialised_in(plan_of(strided(1))), 0);
    Func f;
    const Var x("x"), y("y");
    f(x, y) = image_of_numbers()(x, y);
    EXPECT_FALSE(has_unit_steps(f).defined());
}

TEST(UnitSteps, MayBeAnything) {
    for (const int step : {1, 2, 5}) {
        expect_same_images(with_step(step));
        expect_same_images(with_step(step), {67, 41, 3});
    }
}

}  // namespace emulsion
