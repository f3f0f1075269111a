// emulsion explain: what it says is what compile does.

#include <algorithm>
#include <map>
#include <set>

#include "tests/bench/program.h"

namespace emulsion {
namespace {

using nlohmann::json;

class Explain : public ProgramTest {
protected:
    static void SetUpTestSuite() {
        ProgramTest::SetUpTestSuite();
        run_well({"zoo", "write", "tiny_residual", "-o", file("tiny.onnx")});
    }
    static nlohmann::json explained(std::vector<std::string> more = {}) {
        more.insert(more.begin(), {"explain", file("tiny.onnx"), "--json", file("plan.json")});
        run_well(more);
        return json("plan.json");
    }
};

TEST_F(Explain, EveryOperatorIsInOneGroupAndEveryGroupHasOneRoot) {
    for (const char *policy : {"gao2025", "none"}) {
        const nlohmann::json plan = explained({"--policy", policy});
        std::map<std::string, int> seen;
        for (const auto &group : plan.at("groups")) {
            const auto members = group.at("members").get<std::vector<std::string>>();
            for (const std::string &member : members) {
                seen[member]++;
            }
            EXPECT_GE(group.at("predicted_ms").get<double>(), 0.0);
            if (group.at("kind") != "compute") {
                continue;
            }
            int roots = 0;
            for (const auto &place : group.at("placement")) {
                if (place.at("placement") == "root") {
                    roots++;
                    EXPECT_EQ(place.at("operator"), members.back());
                }
            }
            EXPECT_EQ(roots, 1) << group;
            EXPECT_FALSE(group.at("nest").at("template").get<std::string>().empty());
            if (policy == std::string("none")) {
                EXPECT_EQ(members.size(), 1U);
            }
        }
        EXPECT_EQ(seen.size(), plan.at("operators").size());
        for (const auto &op : plan.at("operators")) {
            EXPECT_EQ(seen[op.at("name").get<std::string>()], 1) << op;
            const auto &group = plan.at("groups").at(op.at("group").get<size_t>());
            const auto members = group.at("members").get<std::set<std::string>>();
            EXPECT_EQ(members.count(op.at("name").get<std::string>()), 1U);
            for (const char *key : {"type", "mapping", "implementation"}) {
                EXPECT_FALSE(op.at(key).get<std::string>().empty()) << key;
            }
        }
        EXPECT_EQ(plan.at("proven_optimal").get<bool>(), std::string(policy) == "gao2025");
        EXPECT_GT(plan.at("predicted_ms").get<double>(), 0.0);
    }
}

TEST_F(Explain, RefusalsNameNodesOfTheModelAndReasons) {
    const nlohmann::json plan = explained();
    std::set<std::string> names;
    for (const auto &op : plan.at("operators")) {
        names.insert(op.at("name").get<std::string>());
    }
    EXPECT_FALSE(plan.at("refusals").empty());
    for (const auto &refusal : plan.at("refusals")) {
        EXPECT_EQ(names.count(refusal.at("producer").get<std::string>()), 1U) << refusal;
        EXPECT_EQ(names.count(refusal.at("consumer").get<std::string>()), 1U) << refusal;
        EXPECT_FALSE(refusal.at("reason").get<std::string>().empty());
    }
}

TEST_F(Explain, FiguresAreThoseOfTheCompiledNetwork) {
    const nlohmann::json plan = explained({"--threads", "2"});
    run_well({"compile", file("tiny.onnx"), "-o", file("tiny"), "--threads", "2", "--json",
              file("compile.json")});
    const nlohmann::json compiled = json("compile.json");
    EXPECT_EQ(plan.at("launched_groups"), compiled.at("groups"));
    EXPECT_EQ(plan.at("operator_count"), compiled.at("operators"));
    for (const char *key : {"target", "units", "arena_bytes", "live_bytes", "weights_bytes"}) {
        EXPECT_EQ(plan.at(key), compiled.at(key)) << key;
    }
    int64_t moved = 0;
    size_t launch = 0;
    const nlohmann::json manifest = json("tiny/manifest.json");
    for (const auto &group : plan.at("groups")) {
        if (group.at("kind") == "view") {
            continue;
        }
        int64_t read = 0;
        for (const auto &input : group.at("inputs")) {
            read += input.at("bytes").get<int64_t>();
            if (!input.contains("view_of")) {
                EXPECT_GE(input.at("allocated_bytes"), input.at("bytes"));
            }
        }
        EXPECT_EQ(group.at("bytes_read"), read);
        EXPECT_EQ(group.at("launch"), launch);
        for (const char *key : {"label", "unit", "bytes_read", "bytes_written", "multiply_adds"}) {
            EXPECT_EQ(group.at(key), manifest.at("launches").at(launch).at(key)) << key;
        }
        moved += read + group.at("output").at("bytes").get<int64_t>();
        launch++;
    }
    EXPECT_EQ(plan.at("bytes_moved"), moved);
}

TEST_F(Explain, MultiplyAddsOfAKnownNetworkAreRight) {
    run_well({"zoo", "write", "mobilenet_v1", "-o", file("mobilenet.onnx")});
    run_well({"explain", file("mobilenet.onnx"), "--json", file("mobilenet.json")});
    // Howard et al. 2017, table 4: 569 million.
    EXPECT_EQ(json("mobilenet.json").at("multiply_adds"), 568'740'352.0);
}

TEST_F(Explain, TextHasTheSummaryAndVerboseEverything) {
    const std::string brief = run_well({"explain", file("tiny.onnx")});
    const std::string verbose = run_well({"explain", file("tiny.onnx"), "--verbose"});
    const nlohmann::json plan = explained();
    for (const char *part : {"fusion ratio", "multiply-adds", "arena", "loop nest",
                             "neighbours that are not in one group"}) {
        EXPECT_NE(brief.find(part), std::string::npos) << part;
    }
    for (const auto &op : plan.at("operators")) {
        const std::string name = op.at("name");
        EXPECT_NE(brief.find(name), std::string::npos) << name;
        EXPECT_NE(verbose.find("operator  " + name), std::string::npos) << name;
    }
    for (const auto &refusal : plan.at("refusals")) {
        EXPECT_NE(verbose.find(refusal.at("reason").get<std::string>()), std::string::npos);
    }
}

TEST_F(Explain, EveryMemberOfAGroupIsComputedInOneOfItsLoopNests) {
    run_well({"zoo", "write", "tiny_squeeze_excite", "-o", file("excite.onnx")});
    run_well({"explain", file("excite.onnx"), "--json", file("excite.json")});
    const nlohmann::json plan = json("excite.json");
    size_t most = 0;
    for (const auto &group : plan.at("groups")) {
        if (group.at("kind") != "compute") {
            continue;
        }
        std::multiset<std::string> computed;
        for (const auto &nest : group.at("nests")) {
            EXPECT_FALSE(nest.at("template").get<std::string>().empty());
            for (const auto &member : nest.at("members")) {
                computed.insert(member.get<std::string>());
            }
        }
        EXPECT_EQ(computed, group.at("members").get<std::multiset<std::string>>());
        EXPECT_EQ(group.at("nests").back().at("template"), group.at("nest").at("template"));
        most = std::max(most, group.at("nests").size());
    }
    EXPECT_GT(most, 1U);
}

TEST_F(Explain, RefusesWhatItCannotExplain) {
    expect_error({"explain", file("tmp")}, 2, "is a folder");
    expect_error({"explain", file("missing.onnx")}, 2, "missing.onnx");
    expect_error({"explain", file("tiny.onnx"), "--policy", "greedy"}, 2, "greedy");
    expect_error({"explain", file("tiny.onnx"), "--target", "z80-cpm"}, 2, "z80-cpm");
    expect_error({"explain", file("tiny.onnx"), "--jobs", "2"}, 2, "unknown option '--jobs'");
    expect_error({"explain", file("tiny.onnx"), "--json", file("no/such.json")}, 1, "no/such.json");
}

}  // namespace
}  // namespace emulsion
