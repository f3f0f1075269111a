// emulsion fusion: what every policy makes of a network, and what it gains: the table of the paper.

#include <memory>

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include "backend/interrupt.h"
#include "bench/commands/command.h"
#include "bench/compared_models.h"
#include "bench/compile_flags.h"
#include "bench/effort_flags.h"
#include "bench/fusion_table.h"
#include "bench/json_file.h"
#include "bench/planning_time.h"
#include "bench/progress.h"
#include "bench/result_flag.h"
#include "bench/user_files.h"
#include "fusion/in_parallel.h"

namespace emulsion {

namespace {

constexpr const char *kFusionManual =
    "Every model is planned and compiled under every policy, and measured as by 'emulsion bench': in\n"
    "turns in one process, on the same random input. Ratio and time of a row come from one plan, and\n"
    "all policies choose from the same implementations, layouts and loop nests.\n"
    "\n"
    "What the numbers mean:\n"
    "  groups        kernels launched per run, counted in the compiled network\n"
    "  ratio         operators of the model, after folding constants and batch norms and without\n"
    "                Constant, Identity and Dropout, over groups; 'over tvm': over that of policy tvm\n"
    "  fused         1 - groups / operators\n"
    "  MB moved      of the tensors that kernels read and write, each counted once per kernel\n"
    "  predicted     milliseconds, by the cost model with the constants of --machine\n"
    "  median        milliseconds, of single runs\n"
    "  over tvm, over none   median of that policy over this one's; above 1, this one is faster. In\n"
    "                brackets the 95 % interval (1,000 resamples of the sittings, and of the runs in\n"
    "                them, which are pairs)\n"
    "  headroom      predicted time of tvm's plan over that of a run that moves no byte between\n"
    "                operators: what fusion could gain at most, if the prediction is right\n"
    "\n"
    "--duration is how long every model is measured. What comes before, planning and compiling (units that\n"
    "the cache has are not compiled again), and the statistics after it take half as long at most: where\n"
    "compiling takes longer, measuring is cut short for it, to no less than half of what was asked.\n"
    "\n"
    "--plan-only prints how long planning takes instead: of the operators' loop nests, which is done\n"
    "once, and of the groups, by policy. Nothing is compiled or run.\n"
    "\n"
    "With several models the last lines have the averages: arithmetic of ratios over tvm, geometric of\n"
    "times. --json FILE has all of it: models = [ { model, operators, headroom, policies = { NAME:\n"
    "groups, fusion_ratio, ratio_over_tvm, bytes_moved, predicted_ms, median_ms, min_ms, over_tvm,\n"
    "over_none = { ratio, low, high }, proven_optimal, search = { states, groups } } } ], averages.\n"
    "\n"
    "Examples:\n"
    "  emulsion fusion mobilenet_v1.onnx vgg16.onnx --threads 2\n"
    "  emulsion fusion yolo_v4.onnx --plan-only\n"
    "  emulsion fusion yolo_v4.onnx --policies none,tvm,gao2025 --duration 60 --json fusion.json";

struct FusionArguments {
    std::vector<std::string> models;
    std::string json;
    bool plan_only = false;
    uint64_t seed = 1;
    Effort effort;
    CompileFlags flags;
};

int fusion(const FusionArguments &options) {
    const InterruptGuard guard;  // the temporary folders have to go
    expect_writable(options.json);
    const int threads = options.flags.threads > 0 ? options.flags.threads : available_cores();
    Progress progress;
    if (options.plan_only) {
        Json models = Json::array();
        for (const std::string &model : options.models) {
            models.push_back(
                time_planning(model, options.flags.policies(), options.flags.options(progress)));
        }
        write_json(options.json, "emulsion-fusion-plans",
                   {{"threads", threads}, {"models", models}});
        return 0;
    }
    ComparedModels compared(options.models, options.flags.policies(),
                            options.flags.options(progress), progress);
    TableTime time;
    std::vector<FusionTable> tables;
    Json json = {{"threads", threads}, {"models", Json::array()}, {"averages", Json::object()}};
    for (size_t model = 0; model < options.models.size(); model++) {
        tables.push_back(
            fusion_table(compared, model, options.seed, options.effort, time, progress));
        progress.clear();
        print(tables.back(), threads);
        json["models"].push_back(to_json(tables.back()));
    }
    for (const std::string &policy : options.flags.policies()) {
        const FusionAverages averages = averages_of(policy, tables);
        if (tables.size() > 1) {
            fmt::print("{:<11} ratio over tvm {:.2f}, speed-up over tvm {:.3f}, over none {:.3f}\n",
                       policy, averages.ratio_over_tvm, averages.over_tvm, averages.over_none);
        }
        json["averages"][policy] = {{"ratio_over_tvm", averages.ratio_over_tvm},
                                    {"over_tvm", averages.over_tvm},
                                    {"over_none", averages.over_none}};
    }
    write_json(options.json, "emulsion-fusion", json);
    return 0;
}

std::function<int()> add_fusion(CLI::App &app) {
    auto options = std::make_shared<FusionArguments>();
    app.add_option("MODEL.onnx", options->models, "The networks")->required();
    add_effort(
        app, options->effort,
        "Measure every model this long, all policies together; at least 10 runs of each. Less, down to "
        "half, where compiling takes long: see below");
    app.add_option("--seed", options->seed, "Of the random input")
        ->capture_default_str()
        ->type_name("N");
    app.add_flag("--plan-only", options->plan_only, "Time the planner, and nothing else");
    add_result_flag(app, "--json", options->json, "Write all figures there");
    options->flags.add_to(app, CompileFlags::Policies::All);
    app.footer(kFusionManual);
    return [options] { return fusion(*options); };
}

}  // namespace

const Command &command_fusion() {
    static const Command command = {"fusion", "Compare the fusion policies on networks",
                                    add_fusion};
    return command;
}

}  // namespace emulsion
