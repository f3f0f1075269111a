#include "bench/roofline/roofline.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "frontend/graph/pass.h"
#include "frontend/onnx/loader.h"
#include "frontend/zoo/zoo.h"
#include "fusion/error.h"
#include "tests/bench/program.h"

namespace emulsion {
namespace {

constexpr double kPeak = 1e11;

MachineLimits some_limits() {
    return {"host", 2, kPeak, {{65536, 1e11}, {1 << 20, 5e10}, {1 << 27, 2e10}}};
}

PlannedNetwork some_network() {
    const auto folder = make_scratch_folder();
    const std::string path = folder->path() / "model.onnx";
    write_zoo_model("tiny_plain", path);
    PlanOptions options;
    options.threads = 2;
    options.exact = true;
    return plan_network(run_passes(load_model(path)), options);
}

// Every launch as the plan has it, with these bytes and times.
Roofline some_roofline(const PlannedNetwork &network, double ms, int64_t bytes, double region_ms) {
    std::vector<LaunchFacts> facts;
    for (const PlannedLaunch &launch : network.launches) {
        facts.push_back({launch.label, "", bytes, bytes, 0.0});
    }
    const std::vector<double> times(facts.size(), ms);
    return make_roofline(network, facts, times, some_limits(), region_ms);
}

const RooflineGroup &most_operations(const Roofline &roofline) {
    return *std::max_element(
        roofline.groups.begin(), roofline.groups.end(),
        [](const auto &x, const auto &y) { return x.operations < y.operations; });
}

}  // namespace

TEST(Roofline, TheLimitIsTheLongerOfOperationsAndBytes) {
    const PlannedNetwork network = some_network();
    const Roofline few = some_roofline(network, 1.0, 32, 0.0);
    const RooflineGroup &convolution = most_operations(few);
    EXPECT_FALSE(convolution.memory_bound);
    EXPECT_GT(convolution.operations, 1e5);
    EXPECT_DOUBLE_EQ(convolution.limit_ms, 1e3 * convolution.operations / kPeak);
    const Roofline many = some_roofline(network, 1.0, 1 << 19, 0.0);
    EXPECT_TRUE(most_operations(many).memory_bound);
    EXPECT_DOUBLE_EQ(most_operations(many).limit_ms, 1e3 * (1 << 20) / 5e10);
}

TEST(Roofline, BytesAreReadFromTheSmallestBufferThatIsAsLarge) {
    EXPECT_EQ(some_limits().bytes_per_second(1.0), 1e11);
    EXPECT_EQ(some_limits().bytes_per_second(65537.0), 5e10);
    EXPECT_EQ(some_limits().bytes_per_second(1e12), 2e10);
}

TEST(Roofline, TheWorstGroupsLoseMostTimeAndHaveAReason) {
    const PlannedNetwork network = some_network();
    const Roofline roofline = some_roofline(network, 1.0, 32, 0.0);
    const auto worst = roofline.worst(2);
    ASSERT_EQ(worst.size(), std::min<size_t>(2, roofline.groups.size()));
    EXPECT_GE(worst.front()->lost_ms(), worst.back()->lost_ms());
    for (const RooflineGroup &group : roofline.groups) {
        EXPECT_FALSE(group.reason.empty()) << group.label;
        EXPECT_FALSE(group.nest.empty()) << group.label;
    }
    EXPECT_NE(some_roofline(network, 1e-9, 32, 0.0).groups[0].reason.find("near its limit"),
              std::string::npos);
    EXPECT_NE(some_roofline(network, 1.0, 32, 0.9).groups[0].reason.find("starting its threads"),
              std::string::npos);
}

TEST(Roofline, ThePictureHasACirclePerGroupAndEscapesNames) {
    Roofline roofline = some_roofline(some_network(), 1.0, 32, 0.0);
    roofline.model = "<a&b>.onnx";
    const std::string svg = roofline_svg(roofline);
    EXPECT_EQ(svg.find("<a&b>"), std::string::npos);
    size_t circles = 0;
    for (size_t at = svg.find("<circle"); at != std::string::npos;
         at = svg.find("<circle", at + 1)) {
        circles++;
    }
    EXPECT_EQ(circles, roofline.groups.size());
}

TEST(Roofline, LimitsComeBackFromTheirFileAndOthersAreRefused) {
    const Json json = to_json(some_limits());
    EXPECT_EQ(json, to_json(limits_from_json(json, "limits.json")));
    for (const char *key : {"target", "threads", "operations_per_second", "reading"}) {
        Json other = json;
        other.erase(key);
        EXPECT_THROW(limits_from_json(other, "limits.json"), Error) << key;
        other = json;
        other[key] = nullptr;
        EXPECT_THROW(limits_from_json(other, "limits.json"), Error) << key;
    }
    Json none = json;
    none["reading"] = Json::array();
    EXPECT_THROW(limits_from_json(none, "limits.json"), Error);
    none = json;
    none["operations_per_second"] = 0.0;
    EXPECT_THROW(limits_from_json(none, "limits.json"), Error);
}

}  // namespace emulsion
