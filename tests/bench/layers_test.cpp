// bench/layers: that layers are drawn as their seed says, and that every kind can be compiled and measured.
#include <set>

#include "tests/bench/program.h"

namespace emulsion {
namespace {

class Layers : public ProgramTest {};
class SlowLayers : public ProgramTest {};

TEST_F(Layers, AreThoseOfTheirSeed) {
    std::set<std::string> models;
    for (const char *seed : {"1", "1", "2"}) {
        const ToolResult drawn =
            run_script("random_layers.py", {seed, "conv_grouped", "3", file("layer.onnx")});
        EXPECT_EQ(0, drawn.status) << drawn.output;
        models.insert(read_user_file(file("layer.onnx")));
    }
    EXPECT_EQ(2U, models.size());
}

TEST_F(Layers, OfUnknownKindsAreRefused) {
    EXPECT_EQ(2, run_script("random_layers.py", {"1", "pudding", "0", file("layer.onnx")}).status);
    const ToolResult refused = run_script("layers.py", {"--kinds", "conv_1x1,pudding"});
    EXPECT_EQ(2, refused.status);
    EXPECT_NE(std::string::npos, refused.output.find("unknown kind 'pudding'")) << refused.output;
}

TEST_F(SlowLayers, OfEveryKindAreMeasuredBesideThePeers) {
    const ToolResult result =
        run_script("layers.py", {"--count", "1", "--rounds", "1", "--iterations", "1", "--gap", "0",
                                 "--sittings", "2", "--json", file("layers.json")});
    EXPECT_EQ(0, result.status) << result.output;
    const nlohmann::json figures = json("layers.json");
    EXPECT_EQ(figures["layers"].size(), figures["kinds"].size());
    EXPECT_EQ(figures["layers"].size(), figures["all"]["layers"]);
    for (const nlohmann::json &layer : figures["layers"]) {
        EXPECT_GT(layer["predicted_ms"], 0.0) << layer;
        EXPECT_EQ(3U, layer["median_ms"].size()) << layer;
        // What is slow in the first sitting is measured again.
        EXPECT_EQ(layer["ratios"][0] < 0.8 ? 2U : 1U, layer["ratios"].size()) << layer;
    }
    EXPECT_TRUE(leftovers().empty());
}

// A layer whose operator has one implementation alone says nothing.
TEST_F(SlowLayers, AreMeasuredWithEveryImplementation) {
    const ToolResult result =
        run_script("implementations.py",
                   {"--kinds", "conv_3x3,layer_norm", "--count", "1", "--rounds", "1",
                    "--iterations", "1", "--gap", "0", "--json", file("implementations.json")});
    EXPECT_EQ(0, result.status) << result.output;
    const nlohmann::json figures = json("implementations.json");
    ASSERT_EQ(1U, figures["layers"].size());
    const nlohmann::json &layer = figures["layers"][0];
    EXPECT_EQ("conv_3x3", layer["kind"]);
    EXPECT_EQ(1U, layer["implementations"].count(layer["chosen"].get<std::string>())) << layer;
    EXPECT_GT(layer["implementations"].size(), 2U) << layer;
    for (const nlohmann::json &measured : layer["implementations"]) {
        EXPECT_GT(measured["predicted_ms"], 0.0) << layer;
        EXPECT_GT(measured["median_ms"], 0.0) << layer;
    }
    EXPECT_GE(figures["all"]["loss"], 1.0);
    EXPECT_TRUE(leftovers().empty());
}

TEST_F(SlowLayers, ThatMoveMoreThanTheyComputeAreMeasured) {
    const ToolResult result =
        run_script("bandwidth.py", {"--megabytes", "1", "--rounds", "1", "--iterations", "1",
                                    "--gap", "0", "--json", file("bandwidth.json")});
    EXPECT_EQ(0, result.status) << result.output;
    for (const nlohmann::json &row : json("bandwidth.json")["operators"]) {
        EXPECT_GT(row["share_of_limit"], 0.0) << row;
        EXPECT_EQ(3U, row["median_ms"].size()) << row;
    }
    EXPECT_TRUE(leftovers().empty());
}

TEST_F(Layers, OfOneImplementationAloneAreRefused) {
    const ToolResult refused =
        run_script("implementations.py", {"--kinds", "layer_norm", "--count", "1"});
    EXPECT_EQ(1, refused.status);
    EXPECT_NE(std::string::npos, refused.output.find("none of these layers has several"))
        << refused.output;
}

}  // namespace
}  // namespace emulsion
