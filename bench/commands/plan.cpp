// emulsion plan: from a model file to a plan as a file, which compile takes.

#include <memory>

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include "backend/compiler.h"
#include "bench/commands/command.h"
#include "bench/compile_flags.h"
#include "bench/progress.h"
#include "bench/user_files.h"
#include "frontend/lower/load_network.h"
#include "frontend/lower/network_plan.h"
#include "fusion/error.h"

namespace emulsion {

namespace {

constexpr const char *kPlanManual =
    "Plans as 'compile' does, but compiles nothing: a second for a network instead of a minute. The\n"
    "file says what the plan is for (target, threads, the machine's constants, and the structure of the\n"
    "network, but not its weights), and the plan. 'emulsion compile MODEL.onnx --plan FILE' compiles it; of\n"
    "an unchanged file what 'compile' would have without.\n"
    "\n"
    "What may be edited, in FILE's \"plan\":\n"
    "  implementations  operators of the model that take another implementation than the first one\n"
    "  groups           which operators are members of a group, in the order in which they are computed\n"
    "  nest             of a member: parameters of its loop nest, within their domain\n"
    "  moves            what becomes of operators that only move or merge axes: moved, free, read, written\n"
    "  absorbs_copies   whether operands of a Concat are written to their places in its result\n"
    "Layouts, views, conversions and placements follow from these. Where an edit changes them, leave out\n"
    "\"values\", and of members \"parts\"; 'emulsion plan MODEL.onnx --plan EDITED -o FILE' fills them in. A\n"
    "plan that doesn't fit is refused with a sentence, before anything is compiled.\n"
    "\n"
    "Examples:\n"
    "  emulsion plan model.onnx -o plan.json --threads 2\n"
    "  emulsion compile model.onnx --plan plan.json -o model\n"
    "  emulsion plan model.onnx --implementation conv1=winograd_2x2 -o -";

struct PlanArguments {
    std::string model, output;
    CompileFlags flags;
};

int plan(const PlanArguments &given) {
    expect_writable(given.output);
    Progress progress;
    const CompileOptions options = given.flags.options(progress);
    progress.show(0, 0, "planning " + given.model);
    const Graph graph = load_network(given.model, load_options(options));
    const PlannedNetwork network =
        naming_file(given.model, [&] { return plan_network(graph, options.plan); });
    progress.clear();
    write_whole_file(given.output, {network_plan_document(graph, network, options.plan)});
    fmt::print("{}: {} operators in {} groups for {}, predicted {:.3f} ms\n", given.output,
               network.operator_count, network.plan.launched_groups(), network.target,
               network.machine.milliseconds(network.plan.predicted_cycles()));
    return 0;
}

std::function<int()> add_plan(CLI::App &app) {
    auto options = std::make_shared<PlanArguments>();
    app.add_option("MODEL.onnx", options->model, "The network")->required();
    app.add_option("-o,--output", options->output, "File to write; '-' is standard output")
        ->type_name("FILE")
        ->required();
    options->flags.add_to(app, CompileFlags::Policies::One, CompileFlags::Use::PlanOnly);
    app.footer(kPlanManual);
    return [options] { return plan(*options); };
}

}  // namespace

const Command &command_plan() {
    static const Command command = {"plan", "Plan a network and write the plan", add_plan};
    return command;
}

}  // namespace emulsion
