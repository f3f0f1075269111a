// Replays records of tuning under every strategy, and prints how good each is.
#include <algorithm>
#include <cstdio>
#include <exception>
#include <map>
#include <string>
#include <vector>

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include "fusion/error.h"
#include "fusion/geometric_mean.h"
#include "fusion/in_parallel.h"
#include "tuner/allocator_figures.h"
#include "tuner/model_figures.h"
#include "tuner/multitask_figures.h"
#include "tuner/predictor.h"
#include "tuner/record.h"
#include "tuner/replay_figures.h"
#include "tuner/store.h"

namespace {

using namespace emulsion;

constexpr const char *kManual =
    "Every strategy searches every recorded group by itself, with the times of the record's first sitting; what it\n"
    "has chosen after so many trials is judged by the second sitting. Prints\n"
    "  - of every group, what there is to find;\n"
    "  - of every strategy the time of what it has chosen over that of the fastest nest of all, in geometric mean\n"
    "    over groups and seeds, beside the planner's own choice;\n"
    "  - the same of what it has proposed, where the planned nest may not be chosen, how many times as fast that is as\n"
    "    what 'random' has proposed, and how many times as soon it comes within 5 %: in brackets the interval of 95 % of\n"
    "    resamples of groups;\n"
    "  - how well every model ranks points that it has not seen;\n"
    "  - how many times as soon every allocator brings a file's groups within 5 % of their final sum of weighted times.\n"
    "Equal records give equal bytes.\n"
    "\n"
    "Exit status: 0 done, 2 wrong usage or a damaged record.";

std::string interval_text(const GeometricInterval &interval) {
    return fmt::format("{:.2f} ({:.2f} to {:.2f})", interval.mean, interval.low, interval.high);
}

void print_tasks(const ReplayFigures &figures) {
    fmt::print(
        "| group | template | ms | points | failed | best | median | noise, median | 95 % | trials a minute |\n");
    fmt::print("|---|---|---:|---:|---:|---:|---:|---:|---:|---:|\n");
    for (const TaskFigures &task : figures.tasks) {
        fmt::print(
            "| {} | {} | {:.3f} | {} | {} | {:.3f} | {:.2f} | {:.1f} % | {:.1f} % | {:.0f} |\n",
            task.label, task.template_name, task.planned_ms, task.points, task.failed, task.best,
            task.median, 100.0 * task.noise_median, 100.0 * task.noise_p95, task.trials_per_minute);
    }
}

void print_noise(const NoiseFigures &noise) {
    fmt::print(
        "\nNoise: of {} points drawn at random, of groups of 20 us to 20 ms, two sittings differ by {:.1f} % in the\n"
        "median, {:.1f} % at 95 %.\n",
        noise.points, 100.0 * noise.median, 100.0 * noise.p95);
}

void print_strategies(const ReplayFigures &figures) {
    fmt::print("\n| strategy | trials used |");
    for (const int64_t trials : figures.trials) {
        fmt::print(" {} trials | worst |", trials);
    }
    fmt::print(" over planned |\n|---|---:|");
    for (size_t i = 0; i < figures.trials.size(); i++) {
        fmt::print("---:|---:|");
    }
    fmt::print("---:|\n");
    for (const StrategyFigures &strategy : figures.strategies) {
        fmt::print("| {} | {:.1f} |", strategy.name, strategy.trials);
        for (size_t i = 0; i < figures.trials.size(); i++) {
            fmt::print(" {:.3f} | {:.2f} |", strategy.over_best[i], strategy.worst[i]);
        }
        fmt::print(" {:.3f} |\n", strategy.over_planned.back());
    }
    fmt::print("| the planner's choice | 0 |");
    for (size_t i = 0; i < figures.trials.size(); i++) {
        fmt::print(" {:.3f} | {:.2f} |", figures.planned_over_best, figures.planned_worst);
    }
    fmt::print(" 1.000 |\n");
}

void print_searches(const ReplayFigures &figures, const std::string &reference) {
    fmt::print("\nWhere the planned nest may not be chosen:\n\n| strategy |");
    for (const int64_t trials : figures.trials) {
        fmt::print(" {} trials | times as fast as {} |", trials, reference);
    }
    fmt::print(" trials to 5 % | times as soon |\n|---|");
    for (size_t i = 0; i < figures.trials.size(); i++) {
        fmt::print("---:|---|");
    }
    fmt::print("---:|---|\n");
    for (const StrategyFigures &strategy : figures.strategies) {
        fmt::print("| {} |", strategy.name);
        for (size_t i = 0; i < figures.trials.size(); i++) {
            fmt::print(" {:.3f} | {} |", strategy.found_over_best[i],
                       interval_text(strategy.times_as_fast[i]));
        }
        fmt::print(" {:.1f} | {} |\n", strategy.trials_to_best,
                   interval_text(strategy.times_as_soon));
    }
}

void print_models(const std::vector<ModelFigures> &all, size_t samples) {
    fmt::print(
        "\n| model | recall of the fastest tenth after {} points, over chance | Kendall's tau |\n|---|---|---:|\n",
        samples);
    for (const ModelFigures &model : all) {
        fmt::print("| {} | {} | {:.2f} |\n", model.name, interval_text(model.recall),
                   model.rank_correlation);
    }
}

void print_allocators(const std::vector<AllocatorFigures> &all,
                      const std::vector<NetworkRecord> &networks, const AllocatorOptions &options) {
    fmt::print(
        "\nTimes as soon as {} within 5 % of the final sum of weighted times, with {}:\n\n| allocator |",
        options.reference, options.strategy);
    for (const NetworkRecord &network : networks) {
        fmt::print(" {} |", network.name);
    }
    fmt::print(" all |\n|---|");
    for (size_t i = 0; i < networks.size(); i++) {
        fmt::print("---:|");
    }
    fmt::print("---|\n");
    for (const AllocatorFigures &allocator : all) {
        fmt::print("| {} |", allocator.name);
        for (const double times : allocator.times_as_soon) {
            fmt::print(" {:.2f} |", times);
        }
        fmt::print(" {} |\n", interval_text(allocator.all));
    }
}

void print_forecasts(const ForecastFigures &figures) {
    fmt::print(
        "\nDynaTune's interval of 80 % has {:.0f} % of {} next values of learning curves; {:.0f} % are the value before.\n",
        100.0 * figures.covered, figures.values, 100.0 * figures.unchanged);
}

// The rest of a line of a table in Markdown.
void print_ratios(const std::vector<double> &ratios) {
    for (const double ratio : ratios) {
        fmt::print(" {:.3f} |", ratio);
    }
    fmt::print("\n");
}

// By model, what was found over the best, in geometric mean over tasks.
std::vector<double> mean_over_best(const std::vector<const MultitaskTask *> &tasks) {
    std::vector<double> means;
    for (size_t m = 0; m < tasks.front()->over_best.size(); m++) {
        std::vector<double> ratios;
        for (const MultitaskTask *task : tasks) {
            ratios.push_back(task->over_best[m]);
        }
        means.push_back(geometric_mean(ratios));
    }
    return means;
}

void print_multitask(const std::vector<std::string> &stores, int seeds) {
    std::vector<StoredSamples> samples;
    for (const std::string &file : stores) {
        for (StoredSamples &task : Store(file).samples()) {
            samples.push_back(std::move(task));
        }
    }
    const MultitaskOptions options{.seeds = seeds, .jobs = available_cores()};
    const MultitaskFigures figures = multitask_figures(samples, options);
    std::vector<std::string> names;
    std::string heading, line;
    for (const std::string &model : options.models) {
        names.push_back(model.empty() ? "random" : model);
        heading += " " + names.back() + " |";
        line += "---:|";
    }
    std::map<std::string, std::vector<const MultitaskTask *>> kinds;
    for (const MultitaskTask &task : figures.tasks) {
        kinds[task.kind].push_back(&task);
    }
    fmt::print(
        "Tasks of one kind together, {} trials each, {} seeds, over the fastest point:\n\n| group | points | median | without trials, by the others |{}\n|---|---:|---:|---:|{}\n",
        options.trials, options.seeds, heading, line);
    for (const auto &[kind, tasks] : kinds) {
        for (const MultitaskTask *task : tasks) {
            fmt::print("| {} | {} | {:.2f} | {:.3f} |", task->label, task->points,
                       task->median / task->best, task->transferred);
            print_ratios(task->over_best);
        }
    }
    fmt::print("\n| kind of | groups |{}\n|---|---:|{}\n", heading, line);
    for (const auto &[kind, tasks] : kinds) {
        fmt::print("| {} | {} |", kind, tasks.size());
        print_ratios(mean_over_best(tasks));
    }
    fmt::print("\n| model | times as fast as {} | wins or ties |\n|---|---|---:|\n",
               names[options.reference]);
    for (size_t i = 0; i < names.size(); i++) {
        fmt::print("| {} | {} | {:.0f} % |\n", names[i], interval_text(figures.times_as_fast[i]),
                   100.0 * figures.wins_or_ties[i]);
    }
}

int run(const std::vector<std::string> &files, const ReplayOptions &options,
        const AllocatorOptions &allocators) {
    std::vector<RecordedTask> record;
    std::vector<NetworkRecord> networks;
    size_t points = 0;
    for (const std::string &file : files) {
        networks.push_back(read_network_record(file));
        points += networks.back().points();
        const std::vector<RecordedTask> &tasks = networks.back().tasks;
        record.insert(record.end(), tasks.begin(), tasks.end());
    }
    const ReplayFigures figures = replay_figures(record, options);
    fmt::print("{} groups, {} points, {} seeds\n\n", record.size(), points, figures.seeds);
    print_tasks(figures);
    print_noise(figures.noise);
    print_strategies(figures);
    print_searches(figures, options.reference);
    const ModelOptions models{.seeds = options.seeds};
    print_models(model_figures(record, models), models.samples);
    print_allocators(allocator_figures(networks, allocators), networks, allocators);
    print_forecasts(forecast_figures(networks, allocators));
    return 0;
}

}  // namespace

int main(int argc, char **argv) {
    CLI::App app("Replays records of tuning under every strategy.", "tools/tuner-figures");
    std::vector<std::string> files;
    ReplayOptions options;
    AllocatorOptions allocators;
    app.add_option("RECORD", files, "Files that emulsion tune --record has written")
        ->check(CLI::ExistingFile);
    app.add_option("--strategy", options.strategies, "Only these")->type_name("NAME");
    app.add_option("--seeds", options.seeds, "Runs of every strategy on every group")
        ->capture_default_str()
        ->check(CLI::Range(1, 1000));
    app.add_option("--reference", options.reference, "Strategy that others are compared with")
        ->capture_default_str()
        ->type_name("NAME");
    app.add_flag("--without-suggestions{false}", options.knows_suggestions,
                 "Do not tell strategies what the machine suggests");
    bool predicts = true;
    app.add_flag("--without-predictor{false}", predicts,
                 "Do not give strategies the predictor that comes with Emulsion");
    app.add_option("--allocator-strategy", allocators.strategy,
                   "Strategy under which allocators are compared")
        ->capture_default_str()
        ->type_name("NAME");
    std::vector<std::string> kinds;
    app.add_option(
           "--multitask", kinds,
           "Replay, instead, what these stores have of groups of one kind: searches of all groups of a kind together")
        ->type_name("STORE")
        ->check(CLI::ExistingFile);
    app.footer(kManual);
    try {
        app.parse(argc, argv);
        allocators.seeds = options.seeds;
        if (predicts) {
            options.predictor = Predictor::shipped();
        }
        if (!kinds.empty()) {
            print_multitask(kinds, options.seeds);
            return 0;
        }
        return run(files, options, allocators);
    } catch (const CLI::ParseError &error) {
        return app.exit(error) == 0 ? 0 : 2;
    } catch (const std::exception &error) {
        fmt::print(stderr, "tuner-figures: {}\n", error.what());
        return 2;
    }
}
