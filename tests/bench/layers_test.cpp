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

}  // namespace
}  // namespace emulsion
