// emulsion explain --profile: measured times beside the predicted ones, of the same plan only.

#include <fmt/format.h>

#include "bench/explain/explanation.h"
#include "tests/bench/explain_page.h"

namespace emulsion {
namespace {

class ExplainProfile : public ExplainPage {};

TEST_F(ExplainProfile, WithAProfileMeasuredTimesStandBesideThePredictedOnes) {
    run_well({"bench", file("tiny.onnx"), "--policies", "none,gao2025", "--iters", "10",
              "--threads", "1", "--profile", "--json", file("bench.json"), "--trace",
              file("trace.json")});
    run_well({"measure", file("tiny.onnx"), "--threads", "1", "--runs", "2", "--sittings", "1",
              "--json", file("measure.json")});
    for (const char *profile : {"bench.json", "trace.json", "measure.json"}) {
        const std::string html = page("tiny.onnx", {"--threads", "1", "--profile", file(profile)});
        const nlohmann::json plan = json("plan.json");
        EXPECT_EQ(plan.at("profile"), file(profile));
        const std::vector<std::string> rows = group_rows(html);
        double sum = 0.0;
        for (size_t g = 0; g < rows.size(); g++) {
            const auto &group = plan.at("groups")[g];
            EXPECT_EQ(group.contains("launch"), group.contains("measured_ms"));
            const double predicted = group.at("predicted_ms");
            const double measured = group.value("measured_ms", 0.0);
            EXPECT_EQ(numbers(rows[g]),
                      (std::vector<std::string>{time_text(predicted), time_text(measured),
                                                ratio_text(predicted, measured)}))
                << rows[g];
            sum += measured;
        }
        EXPECT_NEAR(plan.at("measured_ms").get<double>(), sum, 1e-9);
        const double predicted = plan.at("predicted_ms");
        EXPECT_EQ(numbers(last_row(html)),
                  (std::vector<std::string>{time_text(predicted), time_text(sum),
                                            ratio_text(predicted, sum)}));
        EXPECT_EQ(count(html, fmt::format("<dt>measured</dt><dd>{:.3f} ms</dd>", sum)), 1);
    }
    const nlohmann::json groups = json("bench.json").at("policies").at("gao2025").at("profile");
    run_well({"explain", file("tiny.onnx"), "--threads", "1", "--profile", file("bench.json"),
              "--json", file("plan.json")});
    const nlohmann::json plan = json("plan.json");
    for (const auto &timed : groups) {
        for (const auto &group : plan.at("groups")) {
            if (group.value("launch", -1) == timed.at("group").get<int>()) {
                EXPECT_EQ(group.at("measured_ms"), timed.at("median_ms"));
            }
        }
    }
}

TEST_F(ExplainProfile, AProfileOfAnotherPlanIsRefused) {
    run_well({"zoo", "write", "tiny_plain", "-o", file("plain.onnx")});
    run_well({"bench", file("plain.onnx"), "--policies", "gao2025", "--iters", "3", "--threads",
              "1", "--profile", "--json", file("plain.json")});
    run_well({"bench", file("tiny.onnx"), "--policies", "none", "--iters", "3", "--threads", "1",
              "--profile", "--json", file("none.json")});
    run_well({"bench", file("tiny.onnx"), "--policies", "none", "--iters", "3", "--threads", "1",
              "--json", file("times.json")});
    write_whole_file(file("other.json"), {"{\"schema\": \"emulsion-run\", \"version\": 1}"});
    write_whole_file(file("broken.json"), {"{\"schema\": \"emulsion-bench\", \"policies\": 1}"});
    write_whole_file(file("text.json"), {"no JSON"});
    const auto refused = [&](const char *profile, const char *policy, const char *threads,
                             const char *cause) {
        expect_error({"explain", file("tiny.onnx"), "--policy", policy, "--threads", threads,
                      "--profile", file(profile)},
                     2, cause);
    };
    refused("plain.json", "gao2025", "1", "plain.json: is a profile of another plan: ");
    refused("none.json", "gao2025", "1", "has no times of policy 'gao2025', but of none");
    refused("none.json", "none", "2", "it is of 1 thread, where this is for 2");
    refused("times.json", "none", "1", "has no times of groups");
    refused("other.json", "none", "1", "is no profile; ");
    refused("text.json", "none", "1", "is no profile; ");
    refused("broken.json", "none", "1", "broken.json: ");
    refused("nothing.json", "none", "1", "nothing.json");
    run_well({"explain", file("tiny.onnx"), "--policy", "none", "--threads", "1", "--profile",
              file("none.json")});
}

}  // namespace
}  // namespace emulsion
