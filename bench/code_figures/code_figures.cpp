// Prints how good models of lowered code are, on stores in which code and measurements lie.
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <exception>

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include "bench/cli/validators.h"
#include "frontend/lower/lower_unit.h"
#include "fusion/error.h"
#include "fusion/in_parallel.h"
#include "tuner/code_model_figures.h"
#include "tuner/geometric_interval.h"
#include "tuner/graph/graph_model.h"
#include "tuner/store.h"

namespace {

using namespace emulsion;

constexpr const char *kManual =
    "Of stores that 'emulsion tune --rerank 1 --store FILE' has written. Prints, of every model,\n"
    "  - the share of pairs of programs of a task that it has in the wrong order (0.5 is chance), the mean over tasks and seeds:\n"
    "    of tasks that it has not seen (every fifth, in turns), and of programs that it has not seen (every fifth of each\n"
    "    task); and how much less that is than the reference's: in brackets the interval of 95 % of resamples of tasks;\n"
    "  - microseconds for a program, in batches of 64;\n"
    "  - what a search of a task's programs has found that measures, of 64 drawn at random, the 16 which the model thinks\n"
    "    fastest, over the fastest of all: the geometric mean over tasks and seeds, and the interval.\n"
    "Equal stores give equal figures, but for the times.\n"
    "\n"
    "Exit status: 0 done, 2 wrong usage or a store that is none.";

struct CodeFigureArguments {
    std::vector<std::string> stores, models;
    std::string reference = "perceptron";
    int seeds = 5, search_seeds = 3, jobs = available_cores();
    bool settings = false;
    size_t fewest = 40, searched = 400;
    std::vector<size_t> trials{64, 256};
};

std::string percent(const MeanInterval &interval) {
    return fmt::format("{:.2f} ({:.2f} to {:.2f}) %", 100.0 * interval.mean, 100.0 * interval.low,
                       100.0 * interval.high);
}

// By seed.
struct Errors {
    std::vector<RankErrors> of_tasks, of_points;
};

// By task, over seeds.
std::vector<std::vector<double>> by_task(const std::vector<RankErrors> &by_seed) {
    std::vector<std::vector<double>> errors(by_seed.front().size());
    for (const RankErrors &of_seed : by_seed) {
        for (size_t task = 0; task < errors.size(); task++) {
            errors[task].push_back(of_seed[task]);
        }
    }
    return errors;
}

// What `own` has less than `reference`.
MeanInterval less(const std::vector<RankErrors> &reference, const std::vector<RankErrors> &own) {
    std::vector<std::vector<double>> differences = by_task(reference);
    const std::vector<std::vector<double>> others = by_task(own);
    for (size_t task = 0; task < others.size(); task++) {
        for (size_t seed = 0; seed < others[task].size(); seed++) {
            differences[task][seed] -= others[task][seed];
        }
    }
    return mean_interval(differences);
}

double microseconds(const CodeModelKind &kind, const std::vector<StoredCode> &tasks) {
    constexpr size_t kBatch = 64;
    constexpr int kRounds = 30;
    std::vector<std::vector<size_t>> few(tasks.size());
    for (size_t t = 0; t < tasks.size(); t++) {
        for (size_t i = 0; i < std::min<size_t>(tasks[t].results.size(), 4); i++) {
            few[t].push_back(i);
        }
    }
    const auto model = fitted(kind, 1, tasks, few);
    std::vector<double> times;
    for (int round = 0; round < kRounds; round++) {
        CodeList programs;
        for (size_t i = 0; i < kBatch; i++) {
            const StoredCode &task = tasks[i % tasks.size()];
            programs.push_back(&task.code[(i + static_cast<size_t>(round)) % task.code.size()]);
        }
        const auto begin = std::chrono::steady_clock::now();
        model->scores(programs);
        const std::chrono::duration<double, std::micro> took =
            std::chrono::steady_clock::now() - begin;
        times.push_back(took.count() / static_cast<double>(kBatch));
    }
    std::sort(times.begin(), times.end());
    return times[times.size() / 2];
}

void print_ranks(const std::vector<StoredCode> &tasks, const CodeFigureArguments &given) {
    const auto seeds = static_cast<size_t>(given.seeds);
    std::vector<Errors> all(given.models.size(),
                            {std::vector<RankErrors>(seeds), std::vector<RankErrors>(seeds)});
    const auto found = std::find(given.models.begin(), given.models.end(), given.reference);
    if (found == given.models.end()) {
        throw Error(fmt::format("--reference '{}' is none of the models; name it with --model, too",
                                given.reference));
    }
    const auto reference = static_cast<size_t>(found - given.models.begin());
    in_parallel(all.size() * seeds, given.jobs, [&](size_t i) {
        const size_t m = i / seeds, seed = i % seeds;
        const CodeModelKind &kind = find_code_model(given.models[m]);
        all[m].of_tasks[seed] = errors_of_held_out_tasks(tasks, kind, seed + 1);
        all[m].of_points[seed] = errors_of_held_out_points(tasks, kind, seed + 1);
        fmt::print(stderr, "{}, seed {}\n", kind.name, seed + 1);
    });
    fmt::print(
        "| model | wrong pairs of held-out tasks | less than {0} | wrong pairs of held-out programs | less than {0} | us a program |\n",
        given.reference);
    fmt::print("|---|---|---|---|---|---:|\n");
    for (size_t m = 0; m < given.models.size(); m++) {
        fmt::print("| {} | {} | {} | {} | {} | {:.0f} |\n", given.models[m],
                   percent(mean_interval(by_task(all[m].of_tasks))),
                   percent(less(all[reference].of_tasks, all[m].of_tasks)),
                   percent(mean_interval(by_task(all[m].of_points))),
                   percent(less(all[reference].of_points, all[m].of_points)),
                   microseconds(find_code_model(given.models[m]), tasks));
    }
}

// Of both networks with the same settings, with one seed that print_ranks() has not.
void print_settings(const std::vector<StoredCode> &tasks, const CodeFigureArguments &given) {
    constexpr uint64_t kSeed = 1000;
    std::vector<GraphModelOptions> all;
    for (const bool propagates : {true, false}) {
        for (const double rate : {2e-3, 5e-3}) {
            for (const int epochs : {30, 60}) {
                all.push_back(graph_model_options(propagates, kSeed));
                all.back().rate = rate;
                all.back().epochs = epochs;
            }
        }
    }
    std::vector<RankErrors> errors(all.size());
    in_parallel(all.size(), given.jobs, [&](size_t i) {
        const CodeModelKind kind{"", "",
                                 [&](uint64_t) { return std::make_unique<GraphModel>(all[i]); }};
        errors[i] = errors_of_held_out_tasks(tasks, kind, kSeed);
        fmt::print(stderr, "setting {} of {}\n", i + 1, all.size());
    });
    fmt::print("| model | rate | epochs | wrong pairs of held-out tasks |\n|---|---:|---:|---|\n");
    for (size_t i = 0; i < all.size(); i++) {
        fmt::print("| {} | {} | {} | {} |\n", all[i].propagates ? "graph" : "perceptron",
                   all[i].rate, all[i].epochs, percent(mean_interval(by_task({errors[i]}))));
    }
}

void print_searches(const std::vector<StoredCode> &tasks, const CodeFigureArguments &given) {
    fmt::print("\nSearches of {} tasks, over the fastest of all:\n\n| model |", tasks.size());
    for (const size_t trials : given.trials) {
        fmt::print(" {} trials |", trials);
    }
    fmt::print("\n|---|");
    for (size_t i = 0; i < given.trials.size(); i++) {
        fmt::print("---|");
    }
    fmt::print("\n");
    std::vector<std::string> models{""};
    models.insert(models.end(), given.models.begin(), given.models.end());
    for (const std::string &model : models) {
        // By number of trials, by task, over seeds.
        std::vector<std::vector<std::vector<double>>> found(
            given.trials.size(), std::vector<std::vector<double>>(tasks.size()));
        const auto seeds = static_cast<size_t>(given.search_seeds);
        std::vector<std::vector<double>> ratios(tasks.size() * seeds);
        in_parallel(ratios.size(), given.jobs, [&](size_t i) {
            ratios[i] = found_by_search(tasks[i / seeds], model, i % seeds + 1, given.trials);
        });
        for (size_t i = 0; i < ratios.size(); i++) {
            for (size_t at = 0; at < given.trials.size(); at++) {
                found[at][i / seeds].push_back(ratios[i][at]);
            }
        }
        fmt::print("| {} |", model.empty() ? "none" : model);
        for (const auto &of_tasks : found) {
            const GeometricInterval interval = geometric_interval(of_tasks);
            fmt::print(" {:.3f} ({:.3f} to {:.3f}) |", interval.mean, interval.low, interval.high);
        }
        fmt::print("\n");
    }
}

int run(const CodeFigureArguments &given) {
    std::vector<StoredCode> tasks;
    for (const std::string &file : given.stores) {
        for (StoredCode &task : Store(file).measured_code(unit_features_versions())) {
            tasks.push_back(std::move(task));
        }
    }
    tasks = tasks_with(std::move(tasks), given.fewest);
    if (tasks.size() < 2) {
        throw Error(fmt::format(
            "there are less than two tasks with the code of {} points; 'emulsion tune --rerank 1' keeps it in --store",
            given.fewest));
    }
    size_t points = 0, nodes = 0;
    for (const StoredCode &task : tasks) {
        points += task.code.size();
        for (const CodeFeatures &code : task.code) {
            nodes += code.nodes.size();
        }
    }
    fmt::print("{} programs of {} tasks, {:.0f} nodes each, {} seeds\n\n", points, tasks.size(),
               static_cast<double>(nodes) / static_cast<double>(points), given.seeds);
    if (given.settings) {
        print_settings(tasks, given);
        return 0;
    }
    print_ranks(tasks, given);
    std::fflush(stdout);  // searches take as long again
    print_searches(tasks_with(std::move(tasks), given.searched), given);
    return 0;
}

}  // namespace

int main(int argc, char **argv) {
    CLI::App app("Prints how good models of lowered code are.", "tools/code-figures");
    CodeFigureArguments given;
    app.add_option("STORE", given.stores, "Stores with features of code")
        ->required()
        ->check(CLI::ExistingFile);
    for (const CodeModelKind *kind : all_code_models()) {
        given.models.push_back(kind->name);
    }
    app.add_option("--model", given.models, "Only these")->type_name("NAME");
    app.add_option("--reference", given.reference, "Model that others are compared with")
        ->capture_default_str()
        ->type_name("NAME");
    app.add_option("--seeds", given.seeds, "Models of every kind")
        ->capture_default_str()
        ->check(within(1, 1000));
    app.add_option("--search-seeds", given.search_seeds, "Searches of every task")
        ->capture_default_str()
        ->check(within(1, 1000));
    app.add_flag("--settings", given.settings,
                 "Print, instead, how rates and numbers of epochs do for both networks");
    app.add_option("--jobs", given.jobs, "Models that learn at a time")
        ->capture_default_str()
        ->check(within(1, 1000));
    app.add_option("--fewest", given.fewest, "Leave out tasks with fewer programs")
        ->capture_default_str()
        ->check(within(10, 1'000'000));
    app.add_option("--searched", given.searched, "Search tasks with at least so many programs")
        ->capture_default_str()
        ->check(within(10, 1'000'000));
    app.footer(kManual);
    try {
        app.parse(argc, argv);
        return run(given);
    } catch (const CLI::ParseError &error) {
        return app.exit(error) == 0 ? 0 : 2;
    } catch (const std::exception &error) {
        fmt::print(stderr, "code-figures: {}\n", error.what());
        return 2;
    }
}
