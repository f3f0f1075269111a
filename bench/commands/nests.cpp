// emulsion nests: how well loop nests are priced.

#include <memory>

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include "backend/interrupt.h"
#include "backend/planned_model.h"
#include "bench/cli/validators.h"
#include "bench/commands/command.h"
#include "bench/compile_flags.h"
#include "bench/effort_flags.h"
#include "bench/nest_points.h"
#include "bench/progress.h"
#include "bench/result_flag.h"
#include "bench/shared_units.h"
#include "bench/statistics.h"
#include "bench/user_files.h"

namespace emulsion {

namespace {

constexpr const char *kNestsManual =
    "Takes operators of the networks by themselves, a few of every template of loop nests, draws points of\n"
    "their spaces at random, and holds what they are expected to take against what they take. Whatever\n"
    "policy is given, nothing is fused.\n"
    "\n"
    "What the numbers mean:\n"
    "  points        nests that were measured: the planned one and random ones. Left out are those that\n"
    "                could only be compiled as smaller ones\n"
    "  best ms       the least time of the fastest\n"
    "  Spearman      rank correlation of predicted and measured times of the operator's nests\n"
    "  cheapest      the time of the nest that is priced cheapest, over the fastest\n"
    "  planned       the time of the nest that the planner takes, over the fastest\n"
    "\n"
    "Examples:\n"
    "  emulsion nests mobilenet_v1.onnx resnet18.onnx --threads 2\n"
    "  emulsion nests vgg16.onnx --template convolution --points 100 --verbose --json nests.json";

struct NestsArguments {
    std::vector<std::string> models;
    std::string json;
    bool verbose = false;
    NestDrawing drawing;
    UnitMeasuring measuring{.runs = 5, .sittings = 2};
    CompileFlags flags;
};

double median_of(const std::vector<NestTask> &tasks, double (NestTask::*figure)() const) {
    std::vector<double> figures;
    for (const NestTask &task : tasks) {
        figures.push_back((task.*figure)());
    }
    return summarise(std::move(figures)).median;
}

int measure(const NestsArguments &given) {
    const InterruptGuard guard;
    expect_writable(given.json);
    Progress progress;
    CompileOptions options = given.flags.options(progress);
    options.plan.policy = "none";
    const SharedUnits shared(options);
    std::vector<NestTask> tasks;
    for (const std::string &model : given.models) {
        progress.show(0, 0, "planning " + model);
        const PlannedModel planned = planned_model(loaded_model(model, options), options);
        const std::vector<NestTask> own =
            measure_nests(planned, options, given.drawing, given.measuring, progress);
        tasks.insert(tasks.end(), own.begin(), own.end());
    }
    progress.clear();
    print_tasks(tasks, given.verbose);
    const double spearman = median_of(tasks, &NestTask::spearman);
    const double cheapest = median_of(tasks, &NestTask::cheapest_over_best);
    const double preferred = median_of(tasks, &NestTask::planned_over_best);
    fmt::print("{} tasks, medians: Spearman {:.3f}, cheapest {:.3f}, planned {:.3f} of the best\n",
               tasks.size(), spearman, cheapest, preferred);
    write_json(given.json, "emulsion-nests",
               {{"models", given.models},
                {"seed", given.drawing.seed},
                {"threads", options.plan.threads},
                {"spearman", spearman},
                {"cheapest_over_best", cheapest},
                {"planned_over_best", preferred},
                {"tasks", to_json(tasks)}});
    return 0;
}

std::function<int()> add_nests(CLI::App &app) {
    auto options = std::make_shared<NestsArguments>();
    app.add_option("MODEL.onnx", options->models, "The networks")->required();
    app.add_option("--points", options->drawing.points, "Random nests of every operator")
        ->capture_default_str()
        ->type_name("N")
        ->check(within(1, 10'000));
    app.add_option("--tasks", options->drawing.tasks, "Operators of every template and network")
        ->capture_default_str()
        ->type_name("N")
        ->check(within(1, 10'000));
    app.add_option("--template", options->drawing.only, "Only operators of this template")
        ->type_name("NAME");
    app.add_option("--seed", options->drawing.seed, "Of the random nests")
        ->capture_default_str()
        ->type_name("N");
    add_effort(app, options->measuring, "Runs of every nest in a sitting");
    app.add_flag("--verbose", options->verbose, "Every nest");
    add_result_flag(app, "--json", options->json, "Write all figures there");
    options->flags.add_to(app);
    app.footer(kNestsManual);
    return [options] { return measure(*options); };
}

}  // namespace

const Command &command_nests() {
    static const Command command = {"nests", "Hold loop nests' prices against their times",
                                    add_nests};
    return command;
}

}  // namespace emulsion
