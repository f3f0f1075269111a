#include "backend/emit_launches.h"

#include <filesystem>
#include <limits>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "backend/files.h"
#include "tests/fusion/documented_json.h"

namespace emulsion {

namespace {

namespace fs = std::filesystem;

nlohmann::json emitted(const Graph &graph, const Program &program) {
    const TemporaryFolder folder(fs::temp_directory_path() / "emit-launches");
    emit_launches(graph, program, folder.path() / "launches.json");
    const auto launches = nlohmann::json::parse(read_file(folder.path() / "launches.json"));
    EXPECT_EQ("", undocumented(launches));
    return launches;
}

// One launch from x to y, which has a halo; z is x again.
class EmitLaunches : public testing::Test {
protected:
    EmitLaunches() {
        for (const char *name : {"x", "y", "z"}) {
            Tensor tensor;
            tensor.name = name;
            tensor.shape = {4};
            graph_.tensors.push_back(tensor);
        }
        graph_.inputs = program_.inputs = {0};
        graph_.outputs = program_.outputs = {1, 2};
        program_.on_gpu = true;
        program_.device_inputs = {0};
        program_.device_outputs = {64, 128};
        program_.arena_bytes = 192;
        program_.views.push_back(
            {.storage = Storage::Input, .dimensions = {{0, 4, 1}}, .tensor = 0});
        program_.views.push_back(
            {.storage = Storage::Output, .dimensions = {{0, 4, 1}}, .tensor = 1});
        program_.launches.push_back(
            {.unit = "u", .label = "MaxPool", .views = {0, 1}, .fills = {}});
    }

    Graph graph_;
    Program program_;
};

}  // namespace

TEST_F(EmitLaunches, TheLowestValueOfAHaloHasAName) {
    program_.launches[0].fills.push_back(
        {.view = 1, .margin = {{1, 1}}, .value = -std::numeric_limits<double>::infinity()});
    EXPECT_EQ("lowest", emitted(graph_, program_)["launches"][0]["halos"][0]["value"]);
    program_.launches[0].fills[0].value = 0.5;
    EXPECT_EQ(0.5, emitted(graph_, program_)["launches"][0]["halos"][0]["value"]);
}

TEST_F(EmitLaunches, OutputsThatNoLaunchWritesAreCopies) {
    program_.copies.push_back({.view = 0, .output = 1, .bytes = 16});
    const nlohmann::json copies = emitted(graph_, program_)["copies"];
    ASSERT_EQ(1U, copies.size());
    EXPECT_EQ(1, copies[0]["output"]);
    EXPECT_EQ(16, copies[0]["bytes"]);
    EXPECT_EQ("x", copies[0]["argument"]["tensor"]);
    EXPECT_EQ(0, copies[0]["argument"]["offset"]);
}

}  // namespace emulsion
