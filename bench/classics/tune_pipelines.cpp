#include "bench/classics/tune_pipelines.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <optional>
#include <set>

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include "backend/interrupt.h"
#include "bench/classics/schedulers.h"
#include "bench/classics/tune_image.h"
#include "bench/host.h"
#include "bench/tuning/kind_names.h"
#include "bench/user_files.h"
#include "fusion/error.h"
#include "fusion/hash_hex.h"
#include "fusion/image/tuned_images.h"
#include "fusion/in_parallel.h"
#include "tuner/allocator.h"
#include "tuner/model.h"
#include "tuner/strategy.h"

namespace emulsion::classics {

namespace {

std::optional<TuningStore> opened_store(const PipelineTuning &options) {
    if (options.store.empty()) {
        return std::nullopt;
    }
    const std::string build =
        hash_hex(read_user_file(EMULSION_PLUGINS "/libautoschedule_gao2025.so"));
    TuningStore store{Store(options.store), 0, build, 0};
    store.session = store.store.begin({options.session.strategy, options.session.seed, "{}", build,
                                       machine_fingerprint(host_info())});
    return store;
}

// Of all sizes; none where the pipeline is planned as a network.
std::vector<ImageTask> tasks_of(const std::string &pipeline, const PipelineTuning &options) {
    std::vector<ImageTask> tasks;
    std::set<std::string> problems;
    for (const std::string &size :
         options.sizes.empty() ? std::vector<std::string>{""} : options.sizes) {
        auto task = image_task(pipeline, parameters_from(size), options.threads);
        if (!task) {
            return {};
        }
        if (!problems.insert(task->task.problem).second) {
            throw Error(
                fmt::format("'{}' is what other parameters of --size give, too; leave one out",
                            task->task.label));
        }
        tasks.push_back(std::move(*task));
    }
    return tasks;
}

void print_row(const std::string &pipeline, const TunedPipeline &tuned) {
    std::string outcomes;
    for (const auto &[outcome, count] : tuned.outcomes) {
        outcomes += fmt::format("{}{} {}", outcomes.empty() ? "" : ", ", count, name_of(outcome));
    }
    fmt::print("{:<40}{:>10.3f}{:>8}{:>8.3f}{:>10.3f}  {}\n", pipeline, tuned.planned_ms,
               tuned.trials, tuned.ratio, tuned.confirmed, outcomes);
    std::fflush(stdout);
}

// What earlier runs found for other pipelines stays.
TunedImages begun(const PipelineTuning &options) {
    TunedImages all{Halide::get_host_target().to_string(),
                    options.threads,
                    machine_fingerprint(host_info()),
                    {}};
    if (std::filesystem::is_regular_file(options.output)) {
        TunedImages before = tuned_images_from_json(read_user_file(options.output), options.output);
        if (before.target == all.target && before.threads == all.threads &&
            before.machine == all.machine) {
            all.pipelines = std::move(before.pipelines);
        }
    }
    return all;
}

}  // namespace

CLI::App *add_tune(CLI::App &app, PipelineTuning &options) {
    options.threads = available_cores();
    options.measuring.jobs = options.threads;
    CLI::App *command = app.add_subcommand(
        "tune",
        "search faster schedules of image pipelines by measuring them; what a second sitting "
        "confirms is written, and autoscheduler.tuned takes it");
    SessionOptions &session = options.session;
    command->add_option("pipelines", options.pipelines, "all, if none is named");
    command
        ->add_option("--size", options.sizes,
                     "parameters of the generator, as width=640,height=480; give it once for each "
                     "size: those of a pipeline are searched together")
        ->allow_extra_args(false);
    command
        ->add_option("-o,--output", options.output,
                     "the file to write; what it has of other pipelines stays")
        ->required();
    command->add_option("--threads", options.threads, "that run, and are scheduled for")
        ->capture_default_str();
    command
        ->add_option("--trials", session.trials,
                     "schedules that are tried of each size of a pipeline")
        ->check(CLI::PositiveNumber);
    command->add_option("--seconds", session.seconds, "of searching for each size of a pipeline")
        ->check(CLI::PositiveNumber);
    command->add_option("--strategy", session.strategy, "what is tried next")
        ->capture_default_str()
        ->check(CLI::IsMember(names_of(all_strategies())));
    command
        ->add_option("--model", session.model,
                     "what learns from measurements, if the strategy does; otherwise its own")
        ->check(CLI::IsMember(names_of(all_models())));
    command->add_option("--allocator", session.allocator, "which size gets the next batch")
        ->capture_default_str()
        ->check(CLI::IsMember(names_of(all_allocators())));
    command->add_option("--seed", session.seed, "of what is drawn at random")
        ->capture_default_str();
    command->add_option("--batch", session.batch, "schedules that run beside each other")
        ->capture_default_str();
    command->add_option("--rounds", options.rounds, "how often the space is drawn around the best")
        ->capture_default_str()
        ->check(CLI::PositiveNumber);
    command
        ->add_option("--jobs", options.measuring.jobs,
                     "schedules that are compiled at the same time")
        ->capture_default_str();
    command
        ->add_option("--time-limit", options.measuring.limits.seconds,
                     "seconds, of compiling a schedule")
        ->capture_default_str();
    command->add_option("--store", options.store, "file of all measurements");
    return command;
}

int tune(PipelineTuning &options) {
    if (options.session.trials <= 0 && options.session.seconds <= 0.0) {
        throw Error("how long to search is not said; give --trials N or --seconds S");
    }
    const InterruptGuard guard;
    setenv("HL_NUM_THREADS", std::to_string(options.threads).c_str(), 1);
    if (options.pipelines.empty()) {
        options.pipelines = Halide::Internal::GeneratorRegistry::enumerate();
    }
    TunedImages all = begun(options);
    std::optional<TuningStore> store = opened_store(options);
    fmt::print("{:<40}{:>10}{:>8}{:>8}{:>10}\n", "pipeline", "ms", "trials", "best", "confirmed");
    for (const std::string &pipeline : options.pipelines) {
        const std::vector<ImageTask> sizes = tasks_of(pipeline, options);
        if (sizes.empty()) {
            fmt::print("{:<40}  is planned as a network, and left out\n", pipeline);
            continue;
        }
        const auto scratch = make_scratch_folder();
        options.measuring.folder = scratch->path().string();
        Progress progress;
        const std::vector<TunedPipeline> found =
            tune_image(sizes, options, store ? &*store : nullptr, progress);
        progress.clear();
        for (size_t i = 0; i < sizes.size(); i++) {
            const TuningTask &task = sizes[i].task;
            print_row(task.label, found[i]);
            if (found[i].confirmed < 1.0) {
                all.pipelines[task.problem] = {pipeline, found[i].best, found[i].confirmed};
                write_whole_file(options.output, {emulsion::to_json(all)});
            }
        }
    }
    write_whole_file(options.output, {emulsion::to_json(all)});
    return 0;
}

}  // namespace emulsion::classics
