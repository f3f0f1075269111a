#include "tuner/ansor/sketches.h"

#include <gtest/gtest.h>

#include <set>

#include "fusion/nest.h"
#include "tests/tuner/toy_task.h"
#include "tuner/ansor/roles.h"
#include "tuner/record.h"

namespace emulsion {

namespace {

// Two stages: the first may be inlined, and then has neither an order nor a buffer.
TuningTask two_stages() {
    TuningTask task{.problem = "p", .scope = {"x86-64-linux", 2, "toy"}, .label = "two"};
    task.space.template_name = "images";
    task.space.parameters = {
        {"0.place", NestType::Count, "placement", {0, 4}, 4, true},
        {"0.buffered", NestType::Flag, "", {0, 1}, 0},
        {"0.columns_outermost", NestType::Flag, "", {0, 1}, 0},
        {"0.width", NestType::Count, "columns", {1, 8}, 1},
        {"1.buffered", NestType::Flag, "", {0, 1}, 0},
        {"1.unroll", NestType::Count, "iterations", {1, 4}, 1},
        {"1.tasks", NestType::Count, "tasks", {1, 16}, 1},
    };
    task.planned = task.space.preferred();
    return task;
}

TEST(Roles, AreThoseThatAnsorTellsApart) {
    const TuningTask task = two_stages();
    std::vector<ParameterRole> roles;
    for (const NestParameter &parameter : task.space.parameters) {
        roles.push_back(role_of(parameter));
    }
    EXPECT_EQ((std::vector<ParameterRole>{ParameterRole::Location, ParameterRole::Structure,
                                          ParameterRole::Structure, ParameterRole::Tile,
                                          ParameterRole::Structure, ParameterRole::Unroll,
                                          ParameterRole::Parallel}),
              roles);
    EXPECT_EQ("buffered", own_name(task.space.parameters[4]));
    EXPECT_EQ(1u, stage_of(task.space.parameters[4]));
    EXPECT_EQ("0x.y", own_name({"0x.y", NestType::Count, "", {1, 2}, 1}));
}

TEST(Sketches, DecideNothingMoreOfAStageThatIsInlined) {
    const TuningTask task = two_stages();
    const GridPoints points(task);
    const Sketches sketches(points);
    // Of the last stage 2 buffers; of the first either inlined, or 5 other places (one of them absent) x 2 buffers x 2 orders.
    EXPECT_EQ(2 * (1 + 5 * 2 * 2), sketches.count());
    const std::vector<Sketch> all = sketches.first(1000);
    EXPECT_EQ(sketches.count(), std::ssize(all));
    EXPECT_EQ(all.size(), std::set<Sketch>(all.begin(), all.end()).size());
    for (const Sketch &sketch : all) {
        const bool is_inlined = points.tried(0)[static_cast<size_t>(sketch[0])] ==
                                static_cast<int64_t>(Placement::Inline);
        EXPECT_EQ(is_inlined, sketch[1] == kOpen);
        EXPECT_EQ(is_inlined, sketch[2] == kOpen);
        EXPECT_EQ(kOpen, sketch[3]) << "numbers are left open";
        EXPECT_EQ(kOpen, sketch[5]);
        EXPECT_EQ(kOpen, sketch[6]);
    }
}

TEST(Sketches, AreAllDrawn) {
    const TuningTask task = two_stages();
    const GridPoints points(task);
    const Sketches sketches(points);
    std::mt19937_64 engine(1);
    std::set<Sketch> drawn;
    for (int i = 0; i < 2000; i++) {
        drawn.insert(sketches.draw(engine));
    }
    const std::vector<Sketch> all = sketches.first(1000);
    EXPECT_EQ(std::set<Sketch>(all.begin(), all.end()), drawn);
}

TEST(Sketches, OfRecordedTasksAreCounted) {
    for (const RecordedTask &recorded :
         read_record(EMULSION_SOURCE_DIR "/tests/tuner/records/mobilenet_v1.jsonl.gz")) {
        const GridPoints points(recorded.task);
        const Sketches sketches(points);
        EXPECT_EQ(sketches.count(), std::ssize(sketches.first(100'000))) << recorded.task.label;
    }
}

}  // namespace

}  // namespace emulsion
