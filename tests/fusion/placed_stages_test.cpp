#include "fusion/placed_stages.h"

#include <gtest/gtest.h>

namespace emulsion {

namespace {

// blur_x at the rows of blur_y's tiles, and an inlined read of the input.
Plan blur_plan() {
    Plan plan;
    plan.policy = "gao2025";
    PlannedMember input{.op = "input_im", .parts = {{"", Placement::Inline}}, .stage = 1};
    input.reasons.why = "it does nothing but read an input";
    PlannedMember blur_x{.op = "blur_x", .parts = {{"", Placement::Panel}}, .stage = 0};
    blur_x.reasons.reads = {"input_im"};
    blur_x.reasons.choices = {
        {Placement::Root, 400.0}, {Placement::Inline, 300.0}, {Placement::Panel, 200.0}};
    blur_x.nest.template_name = "tiles";
    PlannedMember blur_y{.op = "blur_y", .parts = {{"", Placement::Root}}, .stage = 1};
    blur_y.reasons.reads = {"blur_x"};
    blur_y.reasons.why = "it is an output";
    blur_y.nest = {"tiles", {{"block0", 0}, {"block1", 32}, {"slide_axis", 1}, {"sweep", 0}}};
    plan.groups.push_back({.members = {input, blur_x, blur_y}, .cycles = 200.0});
    return plan;
}

}  // namespace

TEST(PlacedStages, SayWhereWhyAndWhatOtherPlacesCost) {
    const std::vector<PlacedStage> stages = placed_stages(blur_plan());
    ASSERT_EQ(3U, stages.size());
    EXPECT_EQ("inlined into what reads it: it does nothing but read an input", sentence(stages[0]));
    EXPECT_EQ(
        "at the rows of blur_y's tiles, of which earlier ones are kept; inlined it would cost "
        "1.50x, stored whole 2.00x",
        sentence(stages[1]));
    EXPECT_EQ("stored, in tiles of all x 32 in parallel: it is an output", sentence(stages[2]));
}

TEST(PlacedStages, AreReadBackFromAPlanAndNotNeededInOne) {
    const Plan plan = blur_plan();
    EXPECT_EQ(plan, plan_from_document(plan_document(plan), "plan"));
    Plan bare = plan;
    for (PlannedMember &member : bare.groups.front().members) {
        member.reasons = {};
    }
    EXPECT_EQ(bare, plan_from_document(plan_document(bare), "plan"));
    EXPECT_EQ("in the tiles of b", [] {
        Plan tiles = blur_plan();
        tiles.groups.front().members.back().op = "b";
        tiles.groups.front().members.back().nest.parameters["slide_axis"] = -1;
        return placed_stages(tiles)[1].where;
    }());
}

}  // namespace emulsion
