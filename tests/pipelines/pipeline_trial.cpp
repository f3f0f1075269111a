#include "tests/pipelines/pipeline_trial.h"

#include <sys/resource.h>

#include <chrono>
#include <cmath>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <ctime>
#include <optional>
#include <vector>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "tests/pipelines/pipeline_values.h"

namespace emulsion::test {

namespace {

using Halide::Pipeline;

// On a machine that others use too, a process waits: for so long, times its own time, at most.
constexpr double kWaiting = 10.0;

// The process ends with SIGXCPU when it has computed for so long.
void limit_processor(double seconds) {
    const auto most = static_cast<rlim_t>(std::ceil(seconds));
    const rlimit limit{most, most + 1};
    setrlimit(RLIMIT_CPU, &limit);
}

double processor_seconds() { return static_cast<double>(std::clock()) / CLOCKS_PER_SEC; }

double peak_bytes() {
    rusage usage{};
    getrusage(RUSAGE_SELF, &usage);
    return 1024.0 * static_cast<double>(usage.ru_maxrss);
}

class Trial {
public:
    Trial(uint64_t seed, const PipelineSize &size, const PipelineLimits &limits)
        : seed_(seed), size_(size), limits_(limits) {}

    PipelineOutcome run() {
        RandomPipeline scheduled;
        try {
            scheduled = random_pipeline(seed_, size_);
        } catch (const Halide::Error &error) {
            end("unfit", error.what());
            return found_;
        }
        found_.stages = scheduled.stages();
        found_.kinds = scheduled.kinds;
        std::optional<Buffers> ours;
        if (!schedule(scheduled)) {
            compare(ours, "refused");
            return found_;
        }
        says("computed as scheduled");
        try {
            if (limits_.runs) {
                ours = computed(scheduled, target_);
            } else {
                Pipeline(scheduled.outputs)
                    .compile_to_module(inputs_of(scheduled), "scheduled", target_);
            }
        } catch (const Halide::Error &error) {
            problem_ = error.what();
        }
        compare(ours, "failed");
        return found_;
    }

private:
    // What it dies of, if it does.
    static void says(const char *doing) { std::fprintf(stderr, "while it is %s; ", doing); }

    static std::vector<Halide::Argument> inputs_of(const RandomPipeline &made) {
        return Pipeline(made.outputs).infer_arguments();
    }

    bool schedule(const RandomPipeline &made) {
        says("scheduled");
        const double before = peak_bytes();
        const double start = processor_seconds();
        try {
            Pipeline(made.outputs)
                .apply_autoscheduler(
                    target_, {"Gao2025", {{"parallelism", std::to_string(limits_.threads)}}});
        } catch (const Halide::Error &error) {
            problem_ = error.what();
        }
        found_.scheduling_seconds = processor_seconds() - start;
        found_.scheduling_bytes = peak_bytes() - before;
        return problem_.empty();
    }

    // `outcome`: what it is where there is a problem, but the stored one can be computed.
    void compare(const std::optional<Buffers> &ours, const std::string &outcome) {
        says("computed with every Func stored");
        const RandomPipeline stored = random_pipeline(seed_, size_);
        Buffers expected;
        try {
            if (limits_.runs) {
                expected = computed_stored(stored, target_);
            } else {
                store_everything(stored);
                Pipeline(stored.outputs).compile_to_module(inputs_of(stored), "stored", target_);
            }
        } catch (const Halide::Error &error) {
            end("unfit", error.what());
            return;
        }
        const std::string differs = ours ? difference(expected, *ours) : "";
        if (!problem_.empty()) {
            end(outcome, problem_);
        } else if (!differs.empty()) {
            end("differs", differs);
        } else if (found_.scheduling_seconds > limits_.scheduling_seconds) {
            end("slow", fmt::format("scheduling took {:.1f} s", found_.scheduling_seconds));
        } else if (found_.scheduling_bytes > limits_.scheduling_bytes) {
            end("large", fmt::format("scheduling took {:.0f} MB", found_.scheduling_bytes / 1e6));
        } else {
            end("right", "");
        }
    }

    void end(const std::string &outcome, const std::string &text) {
        found_.outcome = outcome;
        found_.text = text.substr(0, text.find('\n'));
    }

    const uint64_t seed_;
    const PipelineSize size_;
    const PipelineLimits limits_;
    const Halide::Target target_ = Halide::get_jit_target_from_environment();
    PipelineOutcome found_;
    std::string problem_;  // what the autoscheduler or Halide says
};

}  // namespace

Forked start_pipeline_trial(uint64_t seed, const PipelineSize &size, const PipelineLimits &limits,
                            const std::string &plugin) {
    return Forked(
        [=](const Forked::Write &write) {
            limit_processor(limits.all_seconds);
            Halide::load_plugin(plugin);
            const PipelineOutcome found = Trial(seed, size, limits).run();
            write(nlohmann::json{{"outcome", found.outcome},
                                 {"text", found.text},
                                 {"stages", found.stages},
                                 {"seconds", found.scheduling_seconds},
                                 {"bytes", found.scheduling_bytes},
                                 {"kinds", found.kinds}}
                      .dump(-1, ' ', false, nlohmann::json::error_handler_t::replace));
        },
        kWaiting * limits.all_seconds);
}

PipelineOutcome outcome_of(const ForkedEnd &end) {
    PipelineOutcome found;
    const auto document = nlohmann::json::parse(end.results, nullptr, false);
    const bool timed_out = end.timed_out || end.signal == SIGXCPU;
    if (timed_out || document.is_discarded()) {
        found.outcome = timed_out ? "timed out" : "crashed";
        found.text = timed_out
                         ? fmt::format("after {:.0f} s: {}", end.seconds, end.noise.substr(0, 300))
                         : fmt::format("signal {}, status {}: {}", end.signal, end.status,
                                       end.noise.substr(0, 300));
        return found;
    }
    found.outcome = document.at("outcome");
    found.text = document.at("text");
    found.stages = document.at("stages");
    found.scheduling_seconds = document.at("seconds");
    found.scheduling_bytes = document.at("bytes");
    found.kinds = document.at("kinds").get<std::map<std::string, int>>();
    return found;
}

}  // namespace emulsion::test
