// emulsion calibrate: the constants of this machine, for the cost model.

#include <cmath>
#include <memory>

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include "backend/interrupt.h"
#include "bench/calibration_verdict.h"
#include "bench/cli/validators.h"
#include "bench/commands/command.h"
#include "bench/compared_models.h"
#include "bench/compile_flags.h"
#include "bench/fit_machine.h"
#include "bench/host.h"
#include "bench/progress.h"
#include "bench/region_time.h"
#include "bench/user_files.h"

namespace emulsion {

namespace {

constexpr const char *kCalibrateManual =
    "Compiles the networks under several policies, times every group of every one, and finds the\n"
    "constants with which the cost model comes closest to the times. The machine tells the sizes of its\n"
    "caches, and what it costs to start a parallel loop is measured by itself; both are left as they\n"
    "are where --machine has them. The file goes with --machine of compile, bench, explain and fusion,\n"
    "and with autoscheduler.machine of the plugin. Nothing else reads it: plans depend on it only where\n"
    "it is named.\n"
    "\n"
    "What it prints: the mean distance of prediction and measurement, as a factor, with the constants\n"
    "it started from (--machine, or those of a typical machine) and with the new ones; and the same of\n"
    "decisions, the time as one group over that as several; then, in words, whether the new constants\n"
    "are better, with warnings where something speaks against them. 'emulsion examine' tells how good\n"
    "they are on networks that they were not fitted to.\n"
    "\n"
    "Examples:\n"
    "  emulsion calibrate mobilenet_v1.onnx vgg16.onnx -o machine.json --threads 2\n"
    "  emulsion explain yolo_v4.onnx --machine machine.json";

struct CalibrateArguments {
    std::vector<std::string> models;
    std::string output;
    int runs = 20;
    CompileFlags flags;
};

// Those of this machine, as far as it tells.
MachineConstants cache_sizes() {
    const HostInfo host = host_info();
    MachineConstants sizes;
    if (host.l2_bytes > 0) {
        sizes["l2_bytes"] = static_cast<double>(host.l2_bytes);
    }
    if (host.l3_bytes > 0) {
        sizes["l3_bytes"] = static_cast<double>(host.l3_bytes);
    }
    return sizes;
}

int calibrate(const CalibrateArguments &options) {
    const InterruptGuard guard;
    expect_writable(options.output);
    Progress progress;
    CompileOptions compile = options.flags.options(progress);
    for (const auto &[name, bytes] : cache_sizes()) {
        compile.plan.machine.emplace(name, bytes);  // what --machine says is left as it is
    }
    std::vector<SampledNetwork> networks;
    size_t groups = 0;
    ComparedModels compared(options.models, options.flags.policies(), compile, progress);
    for (size_t model = 0; model < options.models.size(); model++) {
        networks.push_back(sample_network(compared, model, options.runs, progress));
        groups += networks.back().samples.size();
    }
    const MachineConstants start = constants_of(networks.front().machine);
    const bool region_given = compile.plan.machine.count("region_cycles") != 0;
    const double region = region_given ? 0.0 : region_seconds(compile.plan.threads);
    const MachineConstants fitted = fit_machine(networks, start, region, [&](double error) {
        progress.show(0, 0, fmt::format("fitting, error {:.3f}", error));
    });
    progress.clear();
    const auto errors = [&](const MachineConstants &constants) {
        return CalibrationErrors{log_error(networks, constants),
                                 decision_error(networks, constants)};
    };
    const CalibrationErrors before = errors(start), after = errors(fitted);
    const auto factor = [](double error) { return std::exp(error); };
    fmt::print(
        "{} groups, off by a factor of {:.2f} before, {:.2f} after; fused over apart by {:.2f} "
        "before, {:.2f} after\n",
        groups, factor(before.times), factor(after.times), factor(before.decisions),
        factor(after.decisions));
    for (const auto &[name, value] : fitted) {
        fmt::print("  {:<26}{:>14.6g}\n", name, value);
    }
    write_whole_file(options.output, {to_json(fitted)});
    const CalibrationVerdict verdict = judge_calibration(groups, before, after);
    fmt::print("{}\n", verdict.sentence);
    for (const std::string &warning : verdict.warnings) {
        fmt::print(stderr, "emulsion: warning: {}\n", warning);
    }
    return 0;
}

std::function<int()> add_calibrate(CLI::App &app) {
    auto options = std::make_shared<CalibrateArguments>();
    app.add_option("MODEL.onnx", options->models, "Networks to time")->required();
    app.add_option("-o,--output", options->output, "The file to write")
        ->type_name("FILE")
        ->required();
    app.add_option("--runs", options->runs, "Runs of each network under each policy")
        ->capture_default_str()
        ->type_name("N")
        ->check(within(1, 1'000'000));
    options->flags.add_to(app, CompileFlags::Policies::All);
    app.footer(kCalibrateManual);
    return [options] { return calibrate(*options); };
}

}  // namespace

const Command &command_calibrate() {
    static const Command command = {"calibrate", "Measure this machine for the cost model",
                                    add_calibrate};
    return command;
}

}  // namespace emulsion
