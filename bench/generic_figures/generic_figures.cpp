// Times operators that only the template `generic` took before there was `multi_level_tile`: with the one's loop nest and
// with the other's, in turns.
#include <algorithm>
#include <cstdio>
#include <exception>

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include "backend/compiler.h"
#include "backend/interrupt.h"
#include "backend/planned_model.h"
#include "bench/measure_unit.h"
#include "bench/progress.h"
#include "bench/shared_units.h"
#include "bench/statistics.h"
#include "bench/user_files.h"
#include "frontend/lower/compute_constants.h"
#include "frontend/lower/tuned_nests.h"
#include "fusion/error.h"
#include "fusion/layout.h"

namespace {

using namespace emulsion;

constexpr const char *kManual =
    "Prints, of every model, the median milliseconds of its operator with the nest of template generic, with the one that\n"
    "the planner takes, and with the one that tuning has found (MODEL.tuned.json beside MODEL.onnx, as 'emulsion tune\n"
    "--keep-plan' writes it; the planner's where there is no such file), and the first over the others. The nests take\n"
    "turns in one process, on the same input.\n"
    "\n"
    "Exit status: 0 done, 1 failed, 2 wrong usage or input.";

struct Figures {
    std::string model, planned_template;
    double generic = 0.0, planned = 0.0, tuned = 0.0;  // ms
};

// The nest that generic prefers for the unit's result.
Nest generic_nest(const PlannedNetwork &network, const Unit &unit) {
    const Tensor &result = unit.graph.tensor(unit.output.tensor);
    const std::vector<int64_t> extents = result.extents();
    const int64_t columns = extents.empty() ? 1 : std::max<int64_t>(extents.back(), 1);
    const int64_t rows = std::max<int64_t>(element_count(extents) / columns, 1);
    constexpr int64_t kTasksPerCore = 4;
    return {"generic",
            {{"column_axis", -1},
             {"crossing_axis", -1},
             {"vector", network.machine.lanes(size_of(result.type))},
             {"tasks", std::min(kTasksPerCore * network.machine.cores(), rows)}}};
}

// The launch of the operator, which is a group by itself.
const PlannedLaunch &only_launch(const PlannedNetwork &network, const std::string &file) {
    if (network.launches.size() != 1 ||
        network.launches.front().unit.plan.groups.at(0).members.size() != 1) {
        throw Error("the model is not one operator", {.file = file});
    }
    return network.launches.front();
}

PlannedLaunch tuned_launch(const std::string &file, CompileOptions options) {
    const std::string tuned = std::filesystem::path(file).replace_extension(".tuned.json");
    if (std::filesystem::exists(tuned)) {
        options.plan.tuned =
            std::make_shared<TunedNests>(tuned_from_json(read_user_file(tuned), tuned));
    }
    const PlannedModel model = planned_model(loaded_model(file, options), options);
    return only_launch(model.networks.front(), file);
}

Figures measure(const std::string &file, const CompileOptions &options,
                const UnitMeasuring &measuring, Progress &progress) {
    const PlannedModel model = planned_model(loaded_model(file, options), options);
    PlannedNetwork network = model.networks.front();
    compute_constants(network);
    const PlannedLaunch planned = only_launch(network, file);
    PlannedLaunch generic = planned;
    generic.unit.plan.groups.at(0).members.at(0).nest = generic_nest(network, planned.unit);
    network.launches = {generic, planned, tuned_launch(file, options)};
    std::vector<double> ms(network.launches.size(), 0.0);
    for (const UnitTimes &times : measure_units(network, options, measuring, nullptr, progress)) {
        for (size_t i = 0; i < ms.size(); i++) {
            if (unit_key(network.launches[i].unit) == times.unit) {
                ms[i] = summarise(times.ms).median;
            }
        }
    }
    return {std::filesystem::path(file).stem(),
            planned.unit.plan.groups.at(0).members.at(0).nest.template_name, ms[0], ms[1], ms[2]};
}

void print(const std::vector<Figures> &figures) {
    fmt::print(
        "| operator | template | generic ms | planned ms | tuned ms | generic/planned | generic/tuned |\n"
        "|---|---|---:|---:|---:|---:|---:|\n");
    std::vector<double> planned, tuned;
    for (const Figures &each : figures) {
        planned.push_back(each.generic / each.planned);
        tuned.push_back(each.generic / each.tuned);
        fmt::print("| {} | {} | {:.4f} | {:.4f} | {:.4f} | {:.2f} | {:.2f} |\n", each.model,
                   each.planned_template, each.generic, each.planned, each.tuned, planned.back(),
                   tuned.back());
    }
    fmt::print("\nmedian of {}: untuned {:.2f} times as fast as generic, tuned {:.2f} times\n",
               figures.size(), summarise(planned).median, summarise(tuned).median);
}

int run(const std::vector<std::string> &files, int threads, const UnitMeasuring &measuring) {
    const InterruptGuard guard;
    Progress progress;
    CompileOptions options;
    options.plan.threads = threads;
    const SharedUnits shared(options);
    std::vector<Figures> figures;
    for (const std::string &file : files) {
        figures.push_back(measure(file, options, measuring, progress));
    }
    progress.clear();
    print(figures);
    return 0;
}

}  // namespace

int main(int argc, char **argv) {
    if (argc > 1 && std::string(argv[1]) == "worker") {  // a process that compiles
        return worker_main(argc - 2, argv + 2);
    }
    CLI::App app("Times loop nests of template generic beside those that take their place.",
                 "tools/generic-figures");
    std::vector<std::string> files;
    int threads = 2;
    UnitMeasuring measuring{.runs = 40, .sittings = 3};
    app.add_option("MODEL.onnx", files, "Models of one operator each")
        ->required()
        ->check(CLI::ExistingFile);
    app.add_option("--threads", threads, "Threads to plan for and to run on")
        ->capture_default_str()
        ->check(CLI::Range(1, 256));
    app.add_option("--runs", measuring.runs, "Runs of every nest in each of three sittings")
        ->capture_default_str()
        ->check(CLI::Range(1, 100'000));
    app.footer(kManual);
    try {
        app.parse(argc, argv);
        return run(files, threads, measuring);
    } catch (const CLI::ParseError &error) {
        return app.exit(error) == 0 ? 0 : 2;
    } catch (const Error &error) {
        fmt::print(stderr, "tools/generic-figures: error: {}\n", error.what());
        return error.exit_code();
    } catch (const std::exception &error) {
        fmt::print(stderr, "tools/generic-figures: error: {}\n", error.what());
        return 1;
    }
}
