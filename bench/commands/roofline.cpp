// emulsion roofline: how far every group of a network is from what the machine allows.

#include <memory>

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include "backend/interrupt.h"
#include "bench/cli/validators.h"
#include "bench/commands/command.h"
#include "bench/compared_models.h"
#include "bench/compile_flags.h"
#include "bench/limits.h"
#include "bench/measure.h"
#include "bench/network_inputs.h"
#include "bench/progress.h"
#include "bench/region_time.h"
#include "bench/result_flag.h"
#include "bench/roofline/roofline.h"
#include "bench/user_files.h"

namespace emulsion {

namespace {

constexpr const char *kRooflineManual =
    "Measures what the machine does at most (or reads it from --limits), runs the network, times every\n"
    "group, and holds the times against the limit: the longer of its operations at the peak and of its\n"
    "tensors, each read or written once, at the bandwidth of a buffer as large as all of them.\n"
    "\n"
    "What the numbers mean:\n"
    "  M ops     10^6 operations: two per multiply-add, one per element of every operator's result. What\n"
    "            functions such as exp take is not counted, nor what is computed twice at edges\n"
    "  MB        10^6 bytes read and written, each tensor once\n"
    "  limit ms  what the machine allows; bound says which of the two makes it\n"
    "  share     limit over time. Tensors that the group before left in a nearer cache may exceed 100 %\n"
    "\n"
    "Then the groups that lose most time, with the reason: a start of threads, uneven tasks, vectors that\n"
    "are not full, a loop nest that takes everything, a copy across the order of memory, or what the cost\n"
    "model expects or doesn't.\n"
    "\n"
    "Examples:\n"
    "  emulsion roofline mobilenet_v1.onnx --threads 2 --svg roofline.svg\n"
    "  machine_limits > limits.json && emulsion roofline resnet50.onnx --limits limits.json --json -";

struct RooflineArguments {
    std::string model, limits, json, svg;
    int runs = 30, worst = 10;
    CompileFlags flags;
};

MachineLimits limits_for(const RooflineArguments &given, const std::string &target, int threads,
                         Progress &progress) {
    constexpr double kSecondsEach = 0.3;
    if (!given.limits.empty()) {
        return limits_from_json(read_json(given.limits, "emulsion-limits"), given.limits);
    }
    progress.show(0, 0, "measuring what this machine does at most");
    return measure_limits(target, threads, kSecondsEach);
}

int roofline(const RooflineArguments &given) {
    const InterruptGuard guard;
    expect_writable(given.json);
    expect_writable(given.svg);
    Progress progress;
    const CompileOptions options = given.flags.options(progress);
    ComparedModels compared({given.model}, {options.plan.policy}, options, progress);
    CompileReport report;
    std::vector<LoadedNetwork> networks;
    networks.push_back(compared.open(0, 0, &report));
    const std::vector<LaunchFacts> facts = launch_facts(networks.front());
    const MachineLimits limits =
        limits_for(given, report.planned.target, options.plan.threads, progress);
    const std::vector<Array> inputs = NetworkInputs(networks.front().artifact(), {}, 1).make(0);
    const auto recorded = record_in_turns(networks, inputs, given.runs,
                                          "timing every group of " + given.model, progress);
    std::vector<double> median_ms;
    for (size_t launch = 0; launch < facts.size(); launch++) {
        median_ms.push_back(median_launch_ms(recorded.front(), launch));
    }
    Roofline found = make_roofline(report.planned, facts, median_ms, limits,
                                   1e3 * region_seconds(options.plan.threads));
    found.model = given.model;
    print_roofline(found, static_cast<size_t>(given.worst));
    write_json(given.json, "emulsion-roofline", to_json(found));
    if (!given.svg.empty()) {
        write_whole_file(given.svg, {roofline_svg(found)});
    }
    return 0;
}

std::function<int()> add_roofline(CLI::App &app) {
    auto options = std::make_shared<RooflineArguments>();
    app.add_option("MODEL.onnx", options->model, "The network")->required();
    app.add_option("--runs", options->runs, "Runs of the network")
        ->capture_default_str()
        ->type_name("N")
        ->check(within(1, 1'000'000));
    app.add_option("--worst", options->worst, "Groups to give reasons for")
        ->capture_default_str()
        ->type_name("N")
        ->check(within(1, 1'000'000));
    app.add_option("--limits", options->limits,
                   "What the machine does at most, as machine_limits writes it (default: measured)")
        ->type_name("FILE");
    add_result_flag(app, "--svg", options->svg, "Write a picture there", "FILE.svg");
    add_result_flag(app, "--json", options->json, "Write all figures there");
    options->flags.add_to(app);
    app.footer(kRooflineManual);
    return [options] { return roofline(*options); };
}

}  // namespace

const Command &command_roofline() {
    static const Command command = {
        "roofline", "Say how far every group is from the machine's limits", add_roofline};
    return command;
}

}  // namespace emulsion
