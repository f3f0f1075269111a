// emulsion measure: how long every unit of a network takes by itself.

#include <memory>

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include "backend/interrupt.h"
#include "backend/planned_model.h"
#include "bench/commands/command.h"
#include "bench/compile_flags.h"
#include "bench/effort_flags.h"
#include "bench/measure_unit.h"
#include "bench/progress.h"
#include "bench/result_flag.h"
#include "bench/shared_units.h"
#include "bench/user_files.h"
#include "bench/whole_network.h"
#include "frontend/lower/compute_constants.h"

namespace emulsion {

namespace {

constexpr const char *kMeasureManual =
    "Builds every unit of the network (groups of equal code are one), calls each by itself, and holds the\n"
    "times against those of the same groups in runs of the whole network, which take turns with them.\n"
    "\n"
    "Units have the network's weights, since sums of random ones lead to numbers that some processors are\n"
    "slow with, and random inputs. Before every run, threads copy the inputs that other units make to where\n"
    "the unit reads them, so these are warm; all other units run between two runs of one, so weights, and\n"
    "what the caller gives, are as cold as in the network. Every sitting has other memory and another order.\n"
    "\n"
    "What the numbers mean:\n"
    "  alone, min    milliseconds by itself: median and least of all runs of all sittings\n"
    "  in network    median of the same group in runs of the whole network\n"
    "  ratio         alone over in network\n"
    "  halo          median of filling the halo of its result in the network, which neither of the others has\n"
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

int measure_alone(const MeasureArguments &given) {
    const InterruptGuard guard;
    expect_writable(given.json);
    Progress progress;
    CompileOptions options = given.flags.options(progress);
    const SharedUnits shared(options);
    progress.show(0, 0, "planning " + given.model);
    PlannedModel planned = planned_model(loaded_model(given.model, options), options);
    compute_constants(planned.networks[0]);  // once, for its units and for the whole
    WholeNetwork whole(planned, options);
    const std::vector<UnitTimes> units =
        measure_units(planned.networks[0], options, given.measuring, &whole, progress);
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
