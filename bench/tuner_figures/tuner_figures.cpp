// Replays records of tuning under every strategy, and prints how good each is.
#include <cstdio>
#include <exception>

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include "fusion/error.h"
#include "tuner/record.h"
#include "tuner/replay_figures.h"

namespace {

using namespace emulsion;

constexpr const char *kManual =
    "Every strategy searches every recorded group by itself, with the times of the record's first sitting; what it\n"
    "has chosen after so many trials is judged by the second sitting. Prints, of every group, what there is to find,\n"
    "and of every strategy the time of what it has chosen over that of the fastest nest of all, in geometric mean\n"
    "over groups and seeds. Equal records give equal bytes.\n"
    "\n"
    "Exit status: 0 done, 2 wrong usage or a damaged record.";

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
}

int run(const std::vector<std::string> &files, const ReplayOptions &options) {
    std::vector<RecordedTask> record;
    size_t points = 0;
    for (const std::string &file : files) {
        for (RecordedTask &task : read_record(file)) {
            points += task.points.size();
            record.push_back(std::move(task));
        }
    }
    const ReplayFigures figures = replay_figures(record, options);
    fmt::print("{} groups, {} points, {} seeds\n\n", record.size(), points, figures.seeds);
    print_tasks(figures);
    print_noise(figures.noise);
    print_strategies(figures);
    return 0;
}

}  // namespace

int main(int argc, char **argv) {
    CLI::App app("Replays records of tuning under every strategy.", "tools/tuner-figures");
    std::vector<std::string> files;
    ReplayOptions options;
    app.add_option("RECORD", files, "Files that emulsion tune --record has written")
        ->required()
        ->check(CLI::ExistingFile);
    app.add_option("--strategy", options.strategies, "Only these")->type_name("NAME");
    app.add_option("--seeds", options.seeds, "Runs of every strategy on every group")
        ->capture_default_str()
        ->check(CLI::Range(1, 1000));
    app.footer(kManual);
    try {
        app.parse(argc, argv);
        return run(files, options);
    } catch (const CLI::ParseError &error) {
        return app.exit(error) == 0 ? 0 : 2;
    } catch (const std::exception &error) {
        fmt::print(stderr, "tuner-figures: {}\n", error.what());
        return 2;
    }
}
