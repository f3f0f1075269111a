// Measures Gao2025 beside Halide's own autoschedulers on the pipelines of generators/classic.
//
// The program runs itself for every step (steps.h) under limits of time and memory.
#include <algorithm>
#include <cstdio>
#include <filesystem>

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include "bench/classics/examine_pipelines.h"
#include "bench/classics/manual_schedule.h"
#include "bench/classics/report.h"
#include "bench/classics/run_step.h"
#include "bench/classics/schedulers.h"
#include "bench/classics/steps.h"
#include "bench/classics/tune_pipelines.h"
#include "bench/user_files.h"
#include "fusion/error.h"
#include "fusion/in_parallel.h"

namespace {

using namespace emulsion;
using namespace emulsion::classics;

struct Options {
    std::vector<std::string> pipelines, schedulers;
    int threads = available_cores();
    double seconds = 10.0;  // of measuring for each pipeline
    StepLimits limits;
    std::string json, folder;
    std::string tuned;   // file, of the scheduler of that name
    bool reuse = false;  // rivals' libraries that lie in `folder`
};

class Runner {
public:
    explicit Runner(const Options &options) : options_(options) {}

    PipelineEntries run(const std::string &pipeline) const {
        PipelineEntries result{pipeline, {}};
        const std::string reference = path(pipeline, "results");
        std::string no_reference = make_reference(pipeline, reference);
        std::vector<std::string> libraries;
        for (const std::string &scheduler : options_.schedulers) {
            if (scheduler == kManual && find_manual_schedule(pipeline) == nullptr) {
                continue;
            }
            Entry entry{.scheduler = scheduler, .failure = no_reference};
            if (no_reference.empty()) {
                build_and_check(pipeline, reference, entry);
            }
            if (entry.failure.empty()) {
                libraries.push_back(library(pipeline, scheduler));
            }
            result.entries.push_back(entry);
        }
        measure_all(pipeline, libraries, result);
        return result;
    }

private:
    std::string path(const std::string &pipeline, const std::string &name) const {
        return options_.folder + "/" + pipeline + "." + name;
    }
    std::string library(const std::string &pipeline, const std::string &scheduler) const {
        return path(pipeline, scheduler + ".so");
    }

    std::string step(const std::string &file, const std::vector<std::string> &arguments,
                     Json &answer) const {
        return run_step(options_.limits, file, arguments, answer);
    }

    std::vector<std::string> build_arguments(const std::string &pipeline,
                                             const std::string &scheduler) const {
        const bool is_tuned = scheduler == kTuned;
        std::vector<std::string> arguments{"build", pipeline, is_tuned ? "Gao2025" : scheduler,
                                           library(pipeline, scheduler),
                                           std::to_string(options_.threads)};
        if (is_tuned) {
            arguments.insert(arguments.end(), {"--tuned", options_.tuned});
        }
        return arguments;
    }

    std::string build_step(const std::string &pipeline, const std::string &scheduler,
                           Json &answer) const {
        const std::string file = library(pipeline, scheduler);
        const bool ours = scheduler == options_.schedulers.front();
        if (options_.reuse && !ours && std::filesystem::exists(file + ".build")) {
            answer = read_json(file + ".build", "emulsion-classics-step");
            return answer.value("failure", "");
        }
        const std::string failure = step(file, build_arguments(pipeline, scheduler), answer);
        answer["failure"] = failure;
        write_json(file + ".build", "emulsion-classics-step", answer);
        return failure;
    }

    std::string make_reference(const std::string &pipeline, const std::string &file) const {
        Json answer;
        std::string failure = build_step(pipeline, kStored, answer);
        if (failure.empty()) {
            failure = step(file, {"results", library(pipeline, kStored), file}, answer);
        }
        return failure.empty() ? "" : "the reference: " + failure;
    }

    void build_and_check(const std::string &pipeline, const std::string &reference,
                         Entry &entry) const {
        Json answer;
        entry.failure = build_step(pipeline, entry.scheduler, answer);
        if (!entry.failure.empty()) {
            return;
        }
        entry.schedule_s = answer.at("schedule_s");
        entry.peak_mb = answer.at("peak_mb");
        entry.compile_s = answer.at("compile_s");
        const std::string file = library(pipeline, entry.scheduler);
        entry.failure = step(file, {"check", file, reference}, answer);
        if (entry.failure.empty() && !answer.at("wrong").get<std::string>().empty()) {
            entry.failure = answer.at("wrong");
        }
    }

    void measure_all(const std::string &pipeline, const std::vector<std::string> &libraries,
                     PipelineEntries &result) const {
        if (libraries.empty()) {
            return;
        }
        std::vector<std::string> arguments{"measure", std::to_string(options_.seconds)};
        arguments.insert(arguments.end(), libraries.begin(), libraries.end());
        Json answer;
        const std::string failure = step(path(pipeline, "times"), arguments, answer);
        size_t next = 0;
        for (Entry &entry : result.entries) {
            if (!entry.failure.empty()) {
                continue;
            }
            entry.failure = failure;
            if (failure.empty()) {
                entry.ms = summarise(answer.at("times_ms").at(next++));
            }
        }
    }

    const Options &options_;
};

int compare(Options &options) {
    if (options.pipelines.empty()) {
        options.pipelines = Halide::Internal::GeneratorRegistry::enumerate();
    }
    if (options.schedulers.empty()) {
        options.schedulers = autoschedulers();
        options.schedulers.emplace_back(kManual);
    }
    if (options.tuned.empty() && std::ranges::count(options.schedulers, kTuned) > 0) {
        throw Error("the scheduler 'tuned' needs a file; give --tuned FILE");
    }
    const auto scratch = make_scratch_folder();
    if (options.folder.empty()) {
        options.folder = scratch->path().string();
    } else {
        make_folder(options.folder);
    }
    setenv("HL_NUM_THREADS", std::to_string(options.threads).c_str(), 1);
    const Runner runner(options);
    std::vector<PipelineEntries> all;
    for (const std::string &pipeline : options.pipelines) {
        fmt::print(stderr, "classics: {}\n", pipeline);
        all.push_back(runner.run(pipeline));
    }
    fmt::print("{}", render(all));
    write_json(options.json, "emulsion-classics", to_json(all));
    return 0;
}

// Of runs of compare over a part of the pipelines each.
int report(const std::vector<std::string> &files, const std::string &json) {
    std::vector<PipelineEntries> all;
    for (const std::string &file : files) {
        for (PipelineEntries &pipeline : from_json(read_json(file, "emulsion-classics"))) {
            all.push_back(std::move(pipeline));
        }
    }
    fmt::print("{}", render(all));
    write_json(json, "emulsion-classics", to_json(all));
    return 0;
}

CLI::App *add_compare(CLI::App &app, Options &options) {
    CLI::App *command = app.add_subcommand("compare", "build, check and measure");
    command->add_option("pipelines", options.pipelines, "all, if none is named");
    command
        ->add_option(
            "--schedulers", options.schedulers,
            "the first one is compared with the others; manual: by hand, where somebody did")
        ->delimiter(',');
    command->add_option("--tuned", options.tuned,
                        "what tune has written: of the scheduler 'tuned', Gao2025 with that file");
    command->add_option("--threads", options.threads, "that run, and are scheduled for");
    command->add_option("--duration", options.seconds, "seconds of measuring per pipeline");
    command->add_option("--time-limit", options.limits.seconds, "seconds, of every step");
    command->add_option("--memory-limit", options.limits.gigabytes, "GB, of every step");
    command->add_option("--keep", options.folder, "folder for libraries and schedules");
    command->add_flag("--reuse", options.reuse,
                      "take the rivals' libraries from there, as an earlier run left them");
    return command;
}

CLI::App *add_build(CLI::App &app, BuildRequest &request) {
    CLI::App *command = app.add_subcommand("build", "a step of compare");
    command->add_option("pipeline", request.pipeline)->required();
    command->add_option("scheduler", request.scheduler)->required();
    command->add_option("library", request.library)->required();
    command->add_option("threads", request.threads)->required();
    command->add_option("--decisions", request.decisions);
    command->add_option("--machine", request.machine);
    command->add_option("--tuned", request.tuned);
    command->add_option("--parameters", request.parameters);
    return command;
}

// Of the steps of compare, which it calls as programs.
struct StepArguments {
    std::string library, file;
    std::vector<std::string> libraries;
    double seconds = 0.0;
};

CLI::App *add_library_step(CLI::App &app, const std::string &name, StepArguments &step) {
    CLI::App *command = app.add_subcommand(name, "a step of compare");
    command->add_option("library", step.library)->required();
    command->add_option("file", step.file)->required();
    return command;
}

void add_measure(CLI::App &app, StepArguments &step) {
    CLI::App *command = app.add_subcommand("measure", "a step of compare");
    command->add_option("seconds", step.seconds)->required();
    command->add_option("libraries", step.libraries)->required();
}

}  // namespace

int main(int argc, char **argv) {
    CLI::App app(
        "Measures Gao2025 beside Halide's autoschedulers on classic image pipelines. Every "
        "result is compared with that of the pipeline computed Func by Func; run times are "
        "those of single runs in turns, in one process.");
    app.require_subcommand(1);
    std::string json;
    app.add_option("--json", json, "write all figures to this file");
    app.fallthrough();

    Options options;
    const CLI::App *compare_command = add_compare(app, options);
    PipelineExamination examination;
    const CLI::App *examine_command = add_examine(app, examination);
    const CLI::App *calibrate_command = add_calibrate(app, examination);
    PipelineTuning tuning;
    const CLI::App *tune_command = add_tune(app, tuning);
    std::vector<std::string> files;
    auto *report_command = app.add_subcommand("report", "print what compare wrote as JSON, joined");
    report_command->add_option("files", files)->required();
    BuildRequest request;
    const CLI::App *build_command = add_build(app, request);
    StepArguments step;
    const CLI::App *results_command = add_library_step(app, "results", step);
    const CLI::App *check_command = add_library_step(app, "check", step);
    add_measure(app, step);
    CLI11_PARSE(app, argc, argv);

    try {
        if (*compare_command) {
            options.json = json;
            return compare(options);
        }
        if (*examine_command) {
            return examine(examination, json);
        }
        if (*calibrate_command) {
            return calibrate(examination);
        }
        if (*tune_command) {
            return tune(tuning);
        }
        if (*report_command) {
            return report(files, json);
        }
        write_json(json, "emulsion-classics-step",
                   *build_command     ? build(request)
                   : *results_command ? write_results(step.library, step.file)
                   : *check_command   ? check(step.library, step.file)
                                      : measure(step.libraries, step.seconds));
        return 0;
    } catch (const std::exception &e) {
        std::fputs(fmt::format("classics: error: {}\n", e.what()).c_str(), stderr);
        return 1;
    }
}
