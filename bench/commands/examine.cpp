// emulsion examine: how well the cost model predicts, on networks that it was not fitted to.

#include <memory>

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include "backend/interrupt.h"
#include "bench/cli/validators.h"
#include "bench/commands/command.h"
#include "bench/compared_models.h"
#include "bench/compile_flags.h"
#include "bench/cost_examination.h"
#include "bench/json_file.h"
#include "bench/progress.h"
#include "bench/result_flag.h"
#include "bench/user_files.h"

namespace emulsion {

namespace {

constexpr const char *kExamineManual =
    "Times every group of every policy and holds the cost model's predictions against that.\n"
    "\n"
    "What the numbers mean:\n"
    "  Spearman      rank correlation with the measured times: of the predictions, and for comparison\n"
    "                of counting operations alone and of counting bytes alone\n"
    "  median error  of |predicted - measured| / measured\n"
    "  pairs         the same operators as one group and as several, under two policies; those whose\n"
    "                measured times differ by more than 5 %, and how many of them the model gets right\n"
    "\n"
    "--json FILE has groups, spearman, operations_spearman, bytes_spearman, median_error, pairs,\n"
    "decisive_pairs, agreeing_pairs, agreement and samples = [ { model, policy, label, measured_ms,\n"
    "predicted_ms } ].\n"
    "\n"
    "Examples:\n"
    "  emulsion calibrate mobilenet_v1.onnx vgg16.onnx -o machine.json\n"
    "  emulsion examine efficientnet_b0.onnx yolo_v4.onnx --machine machine.json --scatter plot.svg";

struct ExamineArguments {
    std::vector<std::string> models;
    std::string json, scatter;
    bool verbose = false;
    int runs = 20;
    CompileFlags flags;
};

Json samples_json(const std::vector<SampledNetwork> &networks, const Machine &machine) {
    Json json = Json::array();
    for (const SampledNetwork &network : networks) {
        const std::vector<double> predicted = predicted_ms(network, machine);
        for (size_t i = 0; i < predicted.size(); i++) {
            json.push_back({{"model", network.model},
                            {"policy", network.samples[i].policy},
                            {"label", network.samples[i].label},
                            {"measured_ms", network.samples[i].ms},
                            {"predicted_ms", predicted[i]}});
        }
    }
    return json;
}

void print_wrong(const PredictionFigures &figures) {
    fmt::print("\nwrong about\n{:>10}{:>10}{:>12}{:>12}  {}\n", "fused ms", "apart ms", "predicted",
               "predicted", "operators");
    for (const DecisionPair &pair : figures.pairs) {
        if (pair.difference() > kDecisive && !pair.agrees()) {
            fmt::print("{:>10.4f}{:>10.4f}{:>12.4f}{:>12.4f}  {}\n", pair.first_ms, pair.second_ms,
                       pair.predicted_first_ms, pair.predicted_second_ms, pair.label);
        }
    }
}

int examine(const ExamineArguments &options) {
    const InterruptGuard guard;
    expect_writable(options.json);
    expect_writable(options.scatter);
    Progress progress;
    ComparedModels compared(options.models, options.flags.policies(),
                            options.flags.options(progress), progress);
    std::vector<SampledNetwork> networks;
    for (size_t model = 0; model < options.models.size(); model++) {
        networks.push_back(sample_network(compared, model, options.runs, progress));
    }
    const Machine machine = networks.front().machine;
    const CostExamination result = examine(networks, machine);
    const PredictionFigures &figures = result.figures;
    fmt::print("{} groups: Spearman {:.3f} (operations alone {:.3f}, bytes alone {:.3f}), median "
               "error {:.0f} %\n",
               figures.predictions, figures.spearman, result.operations_spearman,
               result.bytes_spearman, 100.0 * figures.median_error);
    fmt::print("{} pairs, {} of them more than 5 % apart: right about {} ({:.0f} %)\n",
               figures.pairs.size(), figures.decisive(), figures.agreeing(),
               100.0 * figures.agreement());
    if (options.verbose) {
        print_wrong(figures);
    }
    write_json(options.json, "emulsion-examine",
               {{"groups", figures.predictions},
                {"spearman", figures.spearman},
                {"operations_spearman", result.operations_spearman},
                {"bytes_spearman", result.bytes_spearman},
                {"median_error", figures.median_error},
                {"pairs", figures.pairs.size()},
                {"decisive_pairs", figures.decisive()},
                {"agreeing_pairs", figures.agreeing()},
                {"agreement", figures.agreement()},
                {"samples", samples_json(networks, machine)}});
    if (!options.scatter.empty()) {
        write_whole_file(options.scatter, {scatter_plot(result.predictions)});
    }
    return 0;
}

std::function<int()> add_examine(CLI::App &app) {
    auto options = std::make_shared<ExamineArguments>();
    app.add_option("MODEL.onnx", options->models, "Networks to time")->required();
    app.add_option("--runs", options->runs, "Runs of each network under each policy")
        ->capture_default_str()
        ->type_name("N")
        ->check(within(1, 1'000'000));
    app.add_flag("--verbose", options->verbose, "List the pairs that the model is wrong about");
    add_result_flag(app, "--scatter", options->scatter, "Write a picture of the predictions there",
                    "FILE.svg");
    add_result_flag(app, "--json", options->json, "Write all figures there");
    options->flags.add_to(app, CompileFlags::Policies::All);
    app.footer(kExamineManual);
    return [options] { return examine(*options); };
}

}  // namespace

const Command &command_examine() {
    static const Command command = {"examine", "Hold the cost model against measurements",
                                    add_examine};
    return command;
}

}  // namespace emulsion
