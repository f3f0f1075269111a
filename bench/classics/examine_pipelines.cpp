#include "bench/classics/examine_pipelines.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <iterator>

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include "backend/interrupt.h"
#include "bench/calibration_verdict.h"
#include "bench/classics/fit_pipelines.h"
#include "bench/classics/schedulers.h"
#include "bench/progress.h"
#include "bench/user_files.h"
#include "fusion/error.h"
#include "fusion/in_parallel.h"
#include "fusion/machine_constants.h"

namespace emulsion::classics {

namespace {

constexpr size_t kWorst = 12;  // predictions that are listed

struct Examined {
    std::vector<TimedPrediction> predictions;
    PredictionFigures figures;
};

Examined examined(const std::vector<SampledPipeline> &pipelines) {
    Examined all;
    std::vector<DecisionPair> pairs;
    for (const SampledPipeline &pipeline : pipelines) {
        std::vector<TimedPrediction> timed = timed_predictions(pipeline, pipeline.machine);
        std::ranges::move(decision_pairs(pipeline, timed), std::back_inserter(pairs));
        std::ranges::move(timed, std::back_inserter(all.predictions));
    }
    all.figures = figures_of(all.predictions, std::move(pairs));
    return all;
}

std::vector<SampledPipeline> measured(PipelineExamination &options, Progress &progress) {
    const auto scratch = make_scratch_folder();
    Sampling &sampling = options.sampling;
    if (sampling.folder.empty()) {
        sampling.folder = scratch->path().string();
    } else {
        make_folder(sampling.folder);
    }
    setenv("HL_NUM_THREADS", std::to_string(options.threads).c_str(), 1);
    if (options.pipelines.empty()) {
        options.pipelines = Halide::Internal::GeneratorRegistry::enumerate();
    }
    const CpuMachine machine =
        image_machine(Halide::get_host_target(), options.threads, sampling.machine);
    std::vector<SampledPipeline> pipelines;
    for (const std::string &name : options.pipelines) {
        std::optional<SampledPipeline> pipeline = analysed(name, machine);
        if (!pipeline) {
            fmt::print(stderr, "classics: '{}' is planned as a network, and left out\n", name);
            continue;
        }
        measure_points(*pipeline, sampling, progress);
        progress.clear();
        fmt::print(stderr, "classics: {}: {} schedules measured, {} not\n", name,
                   pipeline->samples.size(), pipeline->failures.size());
        for (const std::string &failure : pipeline->failures) {
            fmt::print(stderr, "classics:   {}\n", failure);
        }
        pipelines.push_back(std::move(*pipeline));
    }
    return pipelines;
}

std::vector<SampledPipeline> sampled(PipelineExamination &options) {
    if (!options.from.empty()) {
        std::vector<SampledPipeline> pipelines = samples_from(
            read_json(options.from, "emulsion-classics-examine"), options.sampling.machine);
        std::erase_if(pipelines, [&](const SampledPipeline &p) {
            return !options.pipelines.empty() &&
                   std::ranges::find(options.pipelines, p.pipeline) == options.pipelines.end();
        });
        return pipelines;
    }
    const InterruptGuard guard;
    Progress progress;
    return measured(options, progress);
}

bool any_wrong(const std::vector<SampledPipeline> &pipelines) {
    return std::ranges::any_of(pipelines, [](const SampledPipeline &p) { return p.is_wrong; });
}

void print_pipelines(const std::vector<SampledPipeline> &pipelines) {
    fmt::print("{:<24}{:>10}{:>10}{:>14}{:>8}{:>8}\n", "pipeline", "schedules", "Spearman",
               "median error", "pairs", "right");
    for (const SampledPipeline &pipeline : pipelines) {
        const PredictionFigures figures = examined({pipeline}).figures;
        fmt::print("{:<24}{:>10}{:>10.3f}{:>12.0f} %{:>8}{:>6.0f} %\n", pipeline.pipeline,
                   figures.predictions, figures.spearman, 100.0 * figures.median_error,
                   figures.decisive(), 100.0 * figures.agreement());
    }
}

void print_worst(const std::vector<SampledPipeline> &pipelines, bool all) {
    struct Line {
        double error;
        std::string text;
    };
    std::vector<Line> lines;
    for (const SampledPipeline &pipeline : pipelines) {
        const auto timed = timed_predictions(pipeline, pipeline.machine);
        for (size_t i = 0; i < timed.size(); i++) {
            lines.push_back(
                {mean_log_error({timed[i]}),
                 fmt::format("{:>10.3f}{:>10.3f}  {}: {}", timed[i].measured_ms,
                             timed[i].predicted_ms, pipeline.pipeline, pipeline.samples[i].label)});
        }
    }
    if (!all) {
        std::ranges::stable_sort(lines,
                                 [](const auto &a, const auto &b) { return a.error > b.error; });
        lines.resize(std::min(lines.size(), kWorst));
    }
    fmt::print("\n{}\n{:>10}{:>10}\n", all ? "all predictions, ms" : "worst predictions, ms",
               "measured", "predicted");
    for (const Line &line : lines) {
        fmt::print("{}\n", line.text);
    }
}

Json to_json(const std::vector<SampledPipeline> &pipelines, const Examined &all, int threads) {
    Json samples = Json::array();
    for (const SampledPipeline &pipeline : pipelines) {
        for (Json &sample : samples_json(pipeline, timed_predictions(pipeline, pipeline.machine))) {
            samples.push_back(std::move(sample));
        }
    }
    return {{"threads", threads},
            {"pipelines", pipelines.size()},
            {"schedules", all.figures.predictions},
            {"spearman", all.figures.spearman},
            {"median_error", all.figures.median_error},
            {"pairs", all.figures.pairs.size()},
            {"decisive_pairs", all.figures.decisive()},
            {"agreeing_pairs", all.figures.agreeing()},
            {"agreement", all.figures.agreement()},
            {"samples", samples}};
}

void add_flags(CLI::App &command, PipelineExamination &options) {
    options.threads = available_cores();
    Sampling &sampling = options.sampling;
    command.add_option("pipelines", options.pipelines, "all, if none is named");
    command.add_option("--threads", options.threads, "that run, and are scheduled for")
        ->capture_default_str();
    command
        .add_option("--machine", sampling.machine,
                    "constants of the machine, as calibrate writes them")
        ->check(CLI::ExistingFile);
    command
        .add_option("--from", options.from, "an earlier examination's JSON, instead of measuring")
        ->check(CLI::ExistingFile);
    command.add_option("--points", sampling.drawing.points, "schedules of every pipeline, at most")
        ->capture_default_str();
    command.add_option("--seed", sampling.drawing.seed, "of the schedules that are drawn")
        ->capture_default_str();
    command.add_option("--duration", sampling.seconds, "seconds of measuring per pipeline")
        ->capture_default_str();
    command.add_option("--jobs", sampling.jobs, "schedules that are compiled at the same time")
        ->capture_default_str();
    command.add_option("--time-limit", sampling.limits.seconds, "seconds, of every step")
        ->capture_default_str();
    command.add_option("--memory-limit", sampling.limits.gigabytes, "GB, of every step")
        ->capture_default_str();
    command.add_option("--keep", sampling.folder, "folder for libraries and schedules");
    command.add_flag(
        "--reuse", sampling.reuse,
        "take libraries of the same schedules from there, as an earlier run left them");
}

}  // namespace

CLI::App *add_examine(CLI::App &app, PipelineExamination &options) {
    CLI::App *command = app.add_subcommand(
        "examine", "hold the prices of image pipelines against measured schedules");
    add_flags(*command, options);
    command->add_option("--scatter", options.scatter, "write a picture of the predictions there");
    command->add_flag("--verbose", options.verbose, "list all predictions, not the worst alone");
    return command;
}

CLI::App *add_calibrate(CLI::App &app, PipelineExamination &options) {
    CLI::App *command = app.add_subcommand(
        "calibrate", "find the constants with which the prices come closest to measured schedules");
    add_flags(*command, options);
    command->add_option("-o,--output", options.output, "the file to write")->required();
    return command;
}

int examine(PipelineExamination &options, const std::string &json) {
    expect_writable(json);
    expect_writable(options.scatter);
    const std::vector<SampledPipeline> pipelines = sampled(options);
    const Examined all = examined(pipelines);
    print_pipelines(pipelines);
    fmt::print("\n{} pipelines, {} schedules: Spearman {:.3f}, median error {:.0f} %\n",
               pipelines.size(), all.figures.predictions, all.figures.spearman,
               100.0 * all.figures.median_error);
    fmt::print("{} pairs of schedules of one pipeline, {} of them more than 5 % apart: right about "
               "{} ({:.1f} %)\n",
               all.figures.pairs.size(), all.figures.decisive(), all.figures.agreeing(),
               100.0 * all.figures.agreement());
    print_worst(pipelines, options.verbose);
    const int threads = pipelines.empty() ? options.threads : pipelines.front().machine.threads;
    write_json(json, "emulsion-classics-examine", to_json(pipelines, all, threads));
    if (!options.scatter.empty()) {
        write_whole_file(options.scatter, {scatter_plot(all.predictions)});
    }
    return any_wrong(pipelines) ? 1 : 0;
}

int calibrate(PipelineExamination &options) {
    expect_writable(options.output);
    const std::vector<SampledPipeline> pipelines = sampled(options);
    if (pipelines.empty()) {
        throw Error("there is no pipeline of images to calibrate with");
    }
    const InterruptGuard guard;
    Progress progress;
    const MachineConstants start = constants_of(pipelines.front().machine);
    const MachineConstants fitted = fit_pipelines(pipelines, start, [&](double error) {
        progress.show(0, 0, fmt::format("fitting, error {:.3f}", error));
    });
    progress.clear();
    const CalibrationErrors before = calibration_errors(pipelines, start),
                            after = calibration_errors(pipelines, fitted);
    const size_t schedules = examined(pipelines).predictions.size();
    fmt::print("{} schedules, off by a factor of {:.2f} before, {:.2f} after; one over another by "
               "{:.2f} before, {:.2f} after\n",
               schedules, std::exp(before.times), std::exp(after.times), std::exp(before.decisions),
               std::exp(after.decisions));
    for (const auto &[name, value] : fitted) {
        fmt::print("  {:<26}{:>14.6g}\n", name, value);
    }
    write_whole_file(options.output, {emulsion::to_json(fitted)});
    const CalibrationVerdict verdict =
        judge_calibration(schedules, before, after, kPipelineSchedules);
    fmt::print("{}\n", verdict.sentence);
    for (const std::string &warning : verdict.warnings) {
        fmt::print(stderr, "classics: warning: {}\n", warning);
    }
    return any_wrong(pipelines) ? 1 : 0;
}

}  // namespace emulsion::classics
