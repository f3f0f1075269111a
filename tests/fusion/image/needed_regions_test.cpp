#include "fusion/image/needed_regions.h"

#include <gtest/gtest.h>

namespace emulsion {

namespace {

// One stage of 100 x 50 floats that reads an input at every second column and at three rows.
ImageGraph halved() {
    ImageRead read;
    read.element_bytes = 2;
    const auto row = [](int64_t offset) { return Tap{{0, 2, 0, ""}, {1, 1, offset, ""}}; };
    read.taps = {row(0), row(1), row(2)};
    read.all = {{{2.0, 0.0}, 1.0}, {{0.0, 1.0}, 3.0}};
    Definition definition;
    definition.free = {true, true};
    definition.reads = {read};
    ImageStage stage;
    stage.name = "halved";
    stage.extents = {100, 50};
    stage.definitions = {definition};
    return {{stage}};
}

double bytes_of(const ImageGraph &graph, const Extents &tile) {
    const StagePlacements placements{Placement::Root};
    return input_bytes(graph, placements, {0}, needed_regions(graph, placements, {0}, {0, tile}));
}

}  // namespace

TEST(NeededRegions, OfInputsAreWhatTilesRead) {
    EXPECT_DOUBLE_EQ(2.0 * 1 * 3, bytes_of(halved(), {1, 1}));
    EXPECT_DOUBLE_EQ(2.0 * 19 * 7, bytes_of(halved(), {10, 5}));
}

// A remainder: its reach is the whole row.
TEST(NeededRegions, AreNoMoreThanIsAskedFor) {
    ImageGraph graph = halved();
    graph.stages[0].definitions[0].reads[0].all[0] = {{0.0, 0.0}, 1000.0};
    EXPECT_DOUBLE_EQ(2.0 * 10 * 5 * 3, bytes_of(graph, {10, 5}));
}

// ... by a stage in between, of which all would be needed then.
TEST(NeededRegions, AreNoMoreThanIsAskedForThroughInlinedStages) {
    ImageGraph graph = halved();
    ImageRead &read = graph.stages[0].definitions[0].reads[0];
    read.all[0] = {{0.0, 0.0}, 1000.0};
    ImageStage in_between = graph.stages[0];
    in_between.extents = {100, 100};
    in_between.definitions[0].reads[0].taps = {{{0, 1, 0, ""}, {1, 1, 0, ""}}};
    in_between.definitions[0].reads[0].all = {{{1.0, 0.0}, 1.0}, {{0.0, 1.0}, 1.0}};
    read.producer = 0;
    graph.stages.insert(graph.stages.begin(), in_between);
    const StagePlacements placements{Placement::Inline, Placement::Root};
    const auto needed = needed_regions(graph, placements, {1}, {1, {10, 5}});
    EXPECT_DOUBLE_EQ(100 * 7, product(needed.at(0)));
    EXPECT_DOUBLE_EQ(2.0 * 10 * 5 * 3, input_bytes(graph, placements, {1}, needed));
}

TEST(NeededRegions, OfInputsAreUnknownWhereDataDecides) {
    ImageGraph graph = halved();
    graph.stages[0].definitions[0].reads[0].data_dependent = true;
    EXPECT_DOUBLE_EQ(0.0, bytes_of(graph, {10, 5}));
}

}  // namespace emulsion
