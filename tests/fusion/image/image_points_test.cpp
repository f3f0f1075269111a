#include "fusion/image/image_points.h"

#include <gtest/gtest.h>

#include <cmath>
#include <set>

#include <nlohmann/json.hpp>

#include "fusion/error.h"
#include "fusion/image/decide.h"
#include "fusion/image/decisions_json.h"
#include "fusion/image/group_price.h"
#include "fusion/image/insert_copy.h"

namespace emulsion {

namespace {

constexpr int64_t kWidth = 1024, kHeight = 768;

// What a reader of a stage needs of it along an axis, for `window` elements around each of its own.
Reach reach(int axis, double window) {
    Reach r{{0.0, 0.0}, window};
    r.stride[static_cast<size_t>(axis)] = 1.0;
    return r;
}

// A stage of floats that reads the last one, or an input, at three rows.
void add_blur(ImageGraph &graph, const std::string &name) {
    ImageRead read{.producer = static_cast<int>(graph.stages.size()) - 1};
    for (int64_t row = -1; row <= 1; row++) {
        read.taps.push_back({TapIndex{0, 1, 0, ""}, TapIndex{1, 1, row, ""}});
    }
    read.all = read.step = {reach(0, 1.0), reach(1, 3.0)};
    read.ordered = {true, true};
    Definition definition{.operations = 5.0};
    definition.reads = {read};
    definition.free = {true, true};
    ImageStage stage{.name = name, .extents = {kWidth, kHeight}};
    stage.definitions = {definition};
    graph.stages.push_back(stage);
}

ImageGraph chain_of_blurs() {
    ImageGraph graph;
    for (const char *name : {"first", "second", "third", "out"}) {
        add_blur(graph, name);
    }
    graph.stages.back().is_output = true;
    return graph;
}

CpuMachine two_threads() {
    CpuMachine machine;
    machine.threads = 2;
    machine.vector_bytes = 32;
    return machine;
}

std::string text_of(const ImageDecisions &decisions) { return decisions_to_json(decisions).dump(); }

TEST(ImagePoints, BeginWithWhatIsDecidedAndAreAllDifferent) {
    const ImageGraph graph = chain_of_blurs();
    const CpuMachine machine = two_threads();
    const std::vector<ImagePoint> points = image_points(graph, machine, {.points = 20});
    EXPECT_EQ(20U, points.size());
    EXPECT_EQ(text_of(decide_images(graph, machine)), text_of(points.front().decisions));
    std::set<std::string> texts;
    for (const ImagePoint &point : points) {
        EXPECT_TRUE(texts.insert(text_of(point.decisions)).second) << point.label;
        EXPECT_TRUE(std::isfinite(point.cycles)) << point.label;
        EXPECT_LE(point.cycles, 8.0 * points.front().cycles) << point.label;
        EXPECT_DOUBLE_EQ(point.cycles, decided_cycles(machine, point.decisions));
    }
}

TEST(ImagePoints, AreTheSameForOneSeed) {
    const ImageGraph graph = chain_of_blurs();
    const auto draw = [&](uint64_t seed) {
        std::string all;
        for (const ImagePoint &point : image_points(graph, two_threads(), {.seed = seed})) {
            all += point.label + text_of(point.decisions);
        }
        return all;
    };
    EXPECT_EQ(draw(1), draw(1));
    EXPECT_NE(draw(1), draw(2));
}

TEST(ImagePoints, StagesAreWhereTheyAreWanted) {
    const ImageGraph graph = chain_of_blurs();
    for (const Placement wanted : {Placement::Inline, Placement::Panel, Placement::Root}) {
        EXPECT_EQ(
            wanted,
            decide_images(graph, two_threads(), {{graph.stages[1].name, wanted}}).placements[1]);
    }
    // An output is stored, whatever is wanted.
    EXPECT_EQ(Placement::Root,
              decide_images(graph, two_threads(), {{graph.stages[3].name, Placement::Inline}})
                  .placements[3]);
}

TEST(ImagePoints, DecidedCyclesAreThoseThatThePlannerCounted) {
    const ImageGraph graph = chain_of_blurs();
    const ImageDecisions decisions = decide_images(graph, two_threads());
    double sum = 0.0;
    for (const ImageGroup &group : decisions.groups) {
        sum += group.cycles;
    }
    EXPECT_DOUBLE_EQ(sum, decided_cycles(two_threads(), decisions));
}

TEST(ImagePoints, SurviveJson) {
    const ImageGraph graph = chain_of_blurs();
    for (const ImagePoint &point : image_points(graph, two_threads())) {
        const ImageDecisions read = decisions_from_json(decisions_to_json(point.decisions), graph);
        EXPECT_EQ(text_of(point.decisions), text_of(read));
        EXPECT_DOUBLE_EQ(point.cycles, decided_cycles(two_threads(), read));
    }
}

TEST(ImagePoints, SurviveJsonWithCopies) {
    const ImageGraph graph = chain_of_blurs();
    ImageDecisions decisions = decide_images(graph, two_threads());
    insert_copy(decisions.graph, 1, {2}, "later");
    insert_copy(decisions.graph, 0, {1, 2}, "both");
    for (int i = 0; i < 2; i++) {
        decisions.placements.insert(decisions.placements.begin(), Placement::Root);
    }
    decisions.groups.clear();
    const ImageDecisions read = decisions_from_json(decisions_to_json(decisions), graph);
    ASSERT_EQ(decisions.graph.stages.size(), read.graph.stages.size());
    for (size_t i = 0; i < read.graph.stages.size(); i++) {
        const ImageStage &expected = decisions.graph.stages[i], &actual = read.graph.stages[i];
        EXPECT_EQ(expected.copy_of, actual.copy_of);
        EXPECT_EQ(expected.definitions.front().reads.front().producer,
                  actual.definitions.front().reads.front().producer);
    }
}

TEST(ImagePoints, OfAnotherPipelineAreRefused) {
    const ImageGraph graph = chain_of_blurs();
    ImageGraph longer = graph;
    add_blur(longer, "more");
    const auto json = decisions_to_json(decide_images(graph, two_threads()));
    EXPECT_THROW(decisions_from_json(json, longer), Error);
}

// A vector of a panel that is shifted inwards would begin before what the input has.
TEST(ImagePoints, PanelsOfBareInputsHaveRoomForAVector) {
    ImageGraph graph = chain_of_blurs();
    for (ImageStage &stage : graph.stages) {
        stage.element_bytes = 1;
        stage.definitions.front().reads.front().element_bytes = 1;
    }
    CpuMachine machine = two_threads();
    machine.vector_bytes = 64;
    ImageDecisions decisions =
        decide_images(graph, machine, {{graph.stages[2].name, Placement::Panel}});
    ImageGroup &group = decisions.groups.back();
    group.shape = {{32, 16}, -1, 0, false};
    EXPECT_FALSE(std::isfinite(decided_cycles(machine, decisions)));
    group.shape = {{64, 16}, -1, 0, false};
    EXPECT_TRUE(std::isfinite(decided_cycles(machine, decisions)));
}

}  // namespace

}  // namespace emulsion
