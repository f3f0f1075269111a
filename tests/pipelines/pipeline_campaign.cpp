#include "tests/pipelines/pipeline_campaign.h"

#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <list>
#include <thread>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "tests/graphs/halide_runtime.h"

namespace emulsion::test {

namespace {

constexpr double kReportSeconds = 20.0;

// Without what is one pipeline's own.
std::string reason_of(const std::string &text) {
    std::string reason;
    for (const char c : text.substr(0, 200)) {
        if (c < '0' || c > '9') {
            reason += c;
        }
    }
    return reason.substr(0, 120);
}

void take(PipelineCampaignEnd &end, uint64_t seed, const PipelineOutcome &found) {
    end.pipelines++;
    end.stages += found.stages;
    end.outcomes[found.outcome]++;
    for (const auto &[kind, count] : found.kinds) {
        end.kinds[kind] += count;
    }
    if (found.outcome == "unfit") {
        end.unfit[reason_of(found.text)]++;
    }
    if (found.scheduling_seconds > 0.0) {
        end.scheduling_seconds.push_back(found.scheduling_seconds);
        end.scheduling_bytes.push_back(found.scheduling_bytes);
    }
    if (found.is_finding()) {
        end.findings.emplace_back(seed, found);
    }
}

double largest(const std::vector<double> &values) {
    return values.empty() ? 0.0 : *std::max_element(values.begin(), values.end());
}

double middle(std::vector<double> values) {
    std::sort(values.begin(), values.end());
    return values.empty() ? 0.0 : values[values.size() / 2];
}

}  // namespace

PipelineCampaignEnd run_pipelines(const PipelineCampaign &options) {
    using Clock = std::chrono::steady_clock;
    struct Running {
        uint64_t seed;
        Forked child;
    };
    compile_halide_runtime(Halide::get_jit_target_from_environment());
    const auto start = Clock::now();
    const auto passed = [&] { return std::chrono::duration<double>(Clock::now() - start).count(); };
    PipelineCampaignEnd end;
    std::list<Running> running;
    uint64_t next = options.seed;
    double reported = 0.0;
    const auto more = [&] {
        return passed() < options.seconds &&
               (options.pipelines == 0 ||
                static_cast<int64_t>(next - options.seed) < options.pipelines);
    };
    while (more() || !running.empty()) {
        while (more() && running.size() < static_cast<size_t>(options.jobs)) {
            running.push_back(
                {next, start_pipeline_trial(next, options.size, options.limits, options.plugin)});
            next++;
        }
        for (auto each = running.begin(); each != running.end();) {
            const auto ended = each->child.poll();
            if (!ended) {
                ++each;
                continue;
            }
            const PipelineOutcome found = outcome_of(*ended);
            if (options.progress && found.is_finding()) {
                fmt::print("seed {}: {}: {}\n", each->seed, found.outcome, found.text);
                std::fflush(stdout);
            }
            take(end, each->seed, found);
            each = running.erase(each);
        }
        if (options.progress && passed() - reported >= kReportSeconds) {
            reported = passed();
            fmt::print(stderr, "{} pipelines, {} findings, {:.0f} s\n", end.pipelines,
                       end.findings.size(), reported);
        }
        std::this_thread::sleep_for(std::chrono::milliseconds(5));
    }
    end.seconds = passed();
    return end;
}

std::string summary_of(const PipelineCampaignEnd &end) {
    std::string text = fmt::format("{} pipelines of {} stages in {:.0f} s:", end.pipelines,
                                   end.stages, end.seconds);
    for (const auto &[outcome, count] : end.outcomes) {
        text += fmt::format(" {} {}", count, outcome);
    }
    text += fmt::format("\nscheduling: median {:.2f} s, at most {:.2f} s and {:.0f} MB\nstages:",
                        middle(end.scheduling_seconds), largest(end.scheduling_seconds),
                        largest(end.scheduling_bytes) / 1e6);
    for (const auto &[kind, count] : end.kinds) {
        text += fmt::format(" {} {}", count, kind);
    }
    for (const auto &[reason, count] : end.unfit) {
        text += fmt::format("\nunfit {}: {}", count, reason);
    }
    return text + "\n";
}

nlohmann::ordered_json json_of(const PipelineCampaignEnd &end, const PipelineCampaign &options) {
    nlohmann::ordered_json findings = nlohmann::ordered_json::array();
    for (const auto &[seed, found] : end.findings) {
        findings.push_back({{"seed", seed},
                            {"outcome", found.outcome},
                            {"text", found.text},
                            {"stages", found.stages}});
    }
    return {{"seed", options.seed},
            {"pipelines", end.pipelines},
            {"stages", end.stages},
            {"seconds", end.seconds},
            {"outcomes", end.outcomes},
            {"kinds", end.kinds},
            {"unfit", end.unfit},
            {"scheduling_seconds",
             {{"median", middle(end.scheduling_seconds)},
              {"largest", largest(end.scheduling_seconds)}}},
            {"scheduling_bytes", largest(end.scheduling_bytes)},
            {"findings", findings}};
}

}  // namespace emulsion::test
