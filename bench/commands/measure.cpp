// emulsion measure: how long every unit of a network takes by itself.

#include <map>
#include <memory>

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include "backend/interrupt.h"
#include "backend/planned_model.h"
#include "bench/commands/command.h"
#include "bench/compile_flags.h"
#include "bench/effort_flags.h"
#include "bench/measure.h"
#include "bench/measure_unit.h"
#include "bench/network_inputs.h"
#include "bench/progress.h"
#include "bench/result_flag.h"
#include "bench/shared_units.h"
#include "bench/statistics.h"
#include "bench/user_files.h"

namespace emulsion {

namespace {

constexpr const char *kMeasureManual =
    "Builds every unit of the network (groups of equal code are one), calls each by itself on random\n"
    "tensors, and holds the times against those of the same groups in runs of the whole network.\n"
    "\n"
    "Before every run that counts, the unit's inputs are read once, so they are warm, and as many other\n"
    "bytes as the network has of other weights: its own weights are as cold as in the network. The order\n"
    "of the units changes from round to round, and every sitting has other memory.\n"
    "\n"
    "What the numbers mean:\n"
    "  alone, min    milliseconds by itself: median and least of all runs of all sittings. Filling the\n"
    "                halo of the result is not in it\n"
    "  in network    median of the same group in runs of the whole network, filling halos included\n"
    "  ratio         alone over in network\n"
    "  difference    median of |alone - in network| / in network, of groups of at least 20 us\n"
    "  Spearman      rank correlation of the two, of the same groups\n"
    "\n"
    "Examples:\n"
    "  emulsion measure mobilenet_v1.onnx --threads 2\n"
    "  emulsion measure resnet18.onnx --sittings 5 --json alone.json";

constexpr double kLeastMs = 0.02;

struct MeasureArguments {
    std::string model, json;
    UnitMeasuring measuring;
    CompileFlags flags;
};

// Of every launch in the whole network.
void add_network_times(const PlannedModel &planned, const CompileOptions &options, int runs,
                       Progress &progress, std::vector<UnitTimes> &units) {
    std::vector<LoadedNetwork> networks;
    networks.push_back(LoadedNetwork::compile(planned, options));
    const std::vector<Array> inputs = NetworkInputs(networks[0].artifact(), {}, 1).make(0);
    const auto recorded = record_in_turns(networks, inputs, runs, "timing every group", progress);
    std::map<std::string, std::vector<double>> of_unit;  // medians of its launches
    const std::vector<PlannedLaunch> &launches = planned.networks[0].launches;
    for (size_t i = 0; i < launches.size(); i++) {
        of_unit[unit_key(launches[i].unit)].push_back(median_launch_ms(recorded[0], i));
    }
    for (UnitTimes &unit : units) {
        unit.network_ms = summarise(of_unit.at(unit.unit)).median;
    }
}

int measure_alone(const MeasureArguments &given) {
    const InterruptGuard guard;
    expect_writable(given.json);
    Progress progress;
    CompileOptions options = given.flags.options(progress);
    const SharedUnits shared(options);
    progress.show(0, 0, "planning " + given.model);
    const PlannedModel planned = planned_model(loaded_model(given.model, options), options);
    std::vector<UnitTimes> units =
        measure_units(planned.networks[0], options, given.measuring, progress);
    add_network_times(planned, options, given.measuring.runs * given.measuring.sittings, progress,
                      units);
    progress.clear();
    print_units(units);
    const AloneAgreement found = agreement(units, kLeastMs);
    fmt::print("{} groups of at least 20 us: median difference {:.1f} %, Spearman {:.3f}; inputs "
               "warm, weights as cold as in the network\n",
               found.groups, 100.0 * found.median_difference, found.spearman);
    write_json(given.json, "emulsion-measure",
               {{"model", given.model},
                {"target", planned.networks[0].target},
                {"threads", options.plan.threads},
                {"sittings", given.measuring.sittings},
                {"inputs", "warm"},
                {"weights", "network"},
                {"groups", found.groups},
                {"median_difference", found.median_difference},
                {"spearman", found.spearman},
                {"units", to_json(units)}});
    return 0;
}

std::function<int()> add_measure(CLI::App &app) {
    auto options = std::make_shared<MeasureArguments>();
    app.add_option("MODEL.onnx", options->model, "The network")->required();
    add_effort(app, options->measuring, "Runs of every unit in a sitting");
    add_result_flag(app, "--json", options->json, "Write all figures there");
    options->flags.add_to(app);
    app.footer(kMeasureManual);
    return [options] { return measure_alone(*options); };
}

}  // namespace

const Command &command_measure() {
    static const Command command = {"measure", "Time every unit of a network by itself",
                                    add_measure};
    return command;
}

}  // namespace emulsion
