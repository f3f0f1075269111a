// emulsion scaling: what a network gains from more threads.

#include <algorithm>
#include <memory>

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include "backend/interrupt.h"
#include "backend/planned_model.h"
#include "bench/cli/validators.h"
#include "bench/commands/command.h"
#include "bench/compared_models.h"
#include "bench/compile_flags.h"
#include "bench/measure.h"
#include "bench/network_inputs.h"
#include "bench/progress.h"
#include "bench/result_flag.h"
#include "bench/scaling/scaling.h"
#include "bench/statistics.h"
#include "bench/user_files.h"
#include "fusion/error.h"
#include "fusion/in_parallel.h"

namespace emulsion {

namespace {

constexpr const char *kScalingManual =
    "Plans the network for every number of threads and prints what the cost model expects: its time, how\n"
    "much faster that is than with the fewest threads, and the share of all threads' time that they spend\n"
    "on starting, on waiting for those that have more to do, and in groups that run on one. With\n"
    "--measure, those numbers of threads that this machine has cores for are compiled and run in turns.\n"
    "\n"
    "The model gives every core its own way to the caches and to memory; on a machine whose memory is\n"
    "slower than all cores together, a network that reads a lot gains less.\n"
    "\n"
    "Examples:\n"
    "  emulsion scaling mobilenet_v1.onnx\n"
    "  emulsion scaling resnet50.onnx --counts 1,2,3,4,6,8 --measure --json scaling.json";

constexpr int kMostThreads = 256;

struct ScalingArguments {
    std::string model, json;
    std::vector<int> counts = {1, 2, 4, 8, 16, 32, 64};
    bool measure = false;
    double seconds = 5.0;
    CompileFlags flags;
};

CompileOptions with_threads(CompileOptions options, int threads) {
    options.plan.threads = threads;
    return options;
}

// Runs the network with as many threads as there are cores for, and writes the medians down.
void measure_rows(const ScalingArguments &given, const CompileOptions &options, Progress &progress,
                  std::vector<ScalingRow> &rows) {
    std::vector<LoadedNetwork> networks;
    std::vector<ScalingRow *> measured;
    for (ScalingRow &row : rows) {
        if (row.threads <= available_cores()) {
            ComparedModels compared({given.model}, {options.plan.policy},
                                    with_threads(options, row.threads), progress);
            networks.push_back(compared.open(0, 0));
            measured.push_back(&row);
        }
    }
    if (networks.empty()) {
        return;
    }
    const std::vector<Array> inputs = NetworkInputs(networks.front().artifact(), {}, 1).make(0);
    const Measurement times =
        measure(networks, inputs, {.seconds = given.seconds * static_cast<double>(networks.size())},
                progress);
    for (size_t i = 0; i < measured.size(); i++) {
        measured[i]->median_ms = summarise(times.times[i]).median;
    }
}

int scaling(const ScalingArguments &given) {
    const InterruptGuard guard;
    expect_writable(given.json);
    if (given.flags.threads != 0) {
        throw Error("--counts says how many threads, not --threads");
    }
    Progress progress;
    const CompileOptions options = given.flags.options(progress);
    std::vector<int> counts = given.counts;
    std::sort(counts.begin(), counts.end());
    counts.erase(std::unique(counts.begin(), counts.end()), counts.end());
    Scaling found{given.model, {}};
    const LoadedModel model = loaded_model(given.model, options);
    for (size_t i = 0; i < counts.size(); i++) {
        progress.show(i, counts.size(), fmt::format("planning for {} threads", counts[i]));
        const PlannedModel planned = planned_model(model, with_threads(options, counts[i]));
        if (planned.networks.front().on_gpu) {
            throw Error("threads are those of CPUs: --target names a GPU");
        }
        found.rows.push_back(scaling_row(planned.networks.front(), counts[i]));
    }
    progress.clear();
    if (given.measure) {
        measure_rows(given, options, progress, found.rows);
    }
    print_scaling(found);
    write_json(given.json, "emulsion-scaling", to_json(found));
    return 0;
}

std::function<int()> add_scaling(CLI::App &app) {
    auto options = std::make_shared<ScalingArguments>();
    app.add_option("MODEL.onnx", options->model, "The network")->required();
    app.add_option("--counts", options->counts, "Numbers of threads, separated by commas")
        ->capture_default_str()
        ->type_name("LIST")
        ->delimiter(',')
        ->check(within(1, kMostThreads));
    app.add_flag("--measure", options->measure,
                 "Run the network, too, with as many threads as there are cores for");
    app.add_option("--seconds", options->seconds, "How long to run it with each")
        ->capture_default_str()
        ->type_name("S")
        ->check(within(0.1, 3600.0));
    add_result_flag(app, "--json", options->json, "Write all figures there");
    options->flags.add_to(app);
    app.footer(kScalingManual);
    return [options] { return scaling(*options); };
}

}  // namespace

const Command &command_scaling() {
    static const Command command = {"scaling", "Say what a network gains from more threads",
                                    add_scaling};
    return command;
}

}  // namespace emulsion
