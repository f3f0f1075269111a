// --trace and --profile: one event per group and run, and what the groups cost.

#include <map>
#include <set>

#include "bench/profile.h"
#include "bench/trace.h"
#include "fusion/error.h"
#include "tests/backend/environment.h"
#include "tests/bench/program.h"

namespace emulsion {
namespace {

class Trace : public ProgramTest {
protected:
    static void SetUpTestSuite() {
        ProgramTest::SetUpTestSuite();
        run_well({"zoo", "write", "tiny_plain", "-o", file("tiny.onnx")});
        run_well({"compile", file("tiny.onnx"), "-o", file("tiny")});
    }
    // [process][run] -> its group events, in order
    using Runs = std::map<std::pair<int, int>, std::vector<nlohmann::json>>;
    static Runs group_events(const nlohmann::json &trace) {
        Runs runs;
        for (const auto &event : trace.at("traceEvents")) {
            if (event.at("ph") == "X" && event.at("cat") == "group") {
                runs[{event.at("pid"), event.at("args").at("run")}].push_back(event);
            }
        }
        return runs;
    }
    // The events of a run are the manifest's launches, one after the other.
    static void expect_launches(const std::vector<nlohmann::json> &events,
                                const nlohmann::json &launches) {
        ASSERT_EQ(events.size(), launches.size());
        double end = 0.0;
        for (size_t i = 0; i < events.size(); i++) {
            EXPECT_EQ(events[i].at("name"), launches[i].at("label"));
            EXPECT_EQ(events[i].at("args").at("unit"), launches[i].at("unit"));
            EXPECT_EQ(events[i].at("args").at("bytes_read"), launches[i].at("bytes_read"));
            EXPECT_GE(events[i].at("ts").get<double>(), end - 1.0);  // a microsecond
            EXPECT_GT(events[i].at("dur").get<double>(), 0.0);
            end = events[i].at("ts").get<double>() + events[i].at("dur").get<double>();
        }
    }
};

TEST_F(Trace, RunWritesOneEventPerGroup) {
    run_well({"run", file("tiny"), "--output-dir", file("out"), "--trace", file("run.json")});
    const nlohmann::json trace = json("run.json");
    const Runs runs = group_events(trace);
    ASSERT_EQ(runs.size(), 1U);
    expect_launches(runs.begin()->second, json("tiny/manifest.json").at("launches"));
    EXPECT_EQ(trace.at("otherData").at("model"), file("tiny"));
}

TEST_F(Trace, BenchWritesTheGroupsOfEveryRunOfEveryPolicy) {
    run_well({"bench", file("tiny.onnx"), "--iters", "3", "--trace", file("bench.json"),
              "--profile", "--json", file("figures.json")});
    const nlohmann::json trace = json("bench.json"), figures = json("figures.json");
    std::map<int, std::string> policies;
    for (const auto &event : trace.at("traceEvents")) {
        if (event.at("name") == "process_name") {
            policies[event.at("pid")] = event.at("args").at("name");
        }
    }
    ASSERT_EQ(policies.size(), 2U);
    std::map<int, int> runs;
    for (const auto &[key, events] : group_events(trace)) {
        const auto &row = figures.at("policies").at(policies.at(key.first));
        EXPECT_EQ(events.size(), row.at("groups").get<size_t>());
        runs[key.first]++;
    }
    for (const auto &[process, count] : runs) {
        EXPECT_EQ(count, 10) << process;
    }
}

TEST_F(Trace, WithoutItsGpuANetworkIsTracedAsTheCpusThatRuns) {
    run_well({"compile", file("tiny.onnx"), "-o", file("both"), "--target", "amdgpu-gfx906,host"});
    const test::Environment nothing(
        test::Environment::Values{{"EMULSION_HIP_LIBRARY", "/there/is/no/such/library.so"}});
    run_well({"bench", file("both"), "--iters", "3", "--trace", file("both.json"), "--profile",
              "--json", file("b.json")});
    const nlohmann::json cpu = json("both/manifest.json").at("fallback");
    for (const auto &[key, events] : group_events(json("both.json"))) {
        expect_launches(events, cpu.at("launches"));
    }
    const nlohmann::json report = json("b.json");
    EXPECT_EQ(cpu.at("target"), report.at("target"));
    EXPECT_EQ(cpu.at("launches").size(), report.at("policies").at("gao2025").at("groups"));
    EXPECT_EQ(cpu.at("launches").size(), report.at("policies").at("gao2025").at("profile").size());
}

TEST(TraceOfOtherLaunches, IsRefused) {
    const RecordedNetwork network{
        .title = "gao2025",
        .launches = {{.label = "a"}, {.label = "b"}},
        .runs = {{.launch_start = {0.0, 1.0, 2.0}, .launch_seconds = {1.0, 1.0, 1.0}}}};
    EXPECT_THROW(profile(network), Error);
    EXPECT_THROW(chrome_trace({network}, Json::object()), Error);
}

TEST_F(Trace, AProfileSortsTheGroupsAndItsSharesAddUp) {
    const std::string text =
        run_well({"bench", file("tiny"), "--iters", "3", "--profile", "--json", file("p.json")});
    EXPECT_NE(text.find("the slowest first"), std::string::npos) << text;
    const nlohmann::json report = json("p.json");
    const nlohmann::json row = report.at("policies").at("gao2025");
    double share = 0.0, slower = 1e9;
    int64_t moved = 0;
    std::set<int> groups;
    for (const auto &entry : row.at("profile")) {
        share += entry.at("share").get<double>();
        EXPECT_LE(entry.at("median_ms").get<double>(), slower);
        slower = entry.at("median_ms").get<double>();
        groups.insert(entry.at("group").get<int>());
        moved += entry.at("bytes_read").get<int64_t>() + entry.at("bytes_written").get<int64_t>();
        if (entry.at("multiply_adds") > 0) {
            EXPECT_GT(entry.at("gflops"), 0.0);
        }
    }
    EXPECT_NEAR(share, 1.0, 1e-9);
    EXPECT_EQ(groups.size(), row.at("groups").get<size_t>());
    EXPECT_EQ(row.at("bytes_moved"), moved);
}

}  // namespace
}  // namespace emulsion
