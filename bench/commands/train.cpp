// emulsion train: a predictor of loop nests from what was recorded.

#include <algorithm>
#include <memory>
#include <optional>

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include "bench/commands/command.h"
#include "bench/json_file.h"
#include "bench/result_flag.h"
#include "bench/tuning/tuned_json.h"
#include "bench/user_files.h"
#include "fusion/error.h"
#include "tuner/record.h"
#include "tuner/train.h"

namespace emulsion {

namespace {

constexpr const char *kTrainManual =
    "Learns from records of many networks which loop nests are fast, and writes a predictor that picks\n"
    "them without measuring anything. A record is what 'emulsion tune --trajectory' or '--record' has written,\n"
    "of one network each.\n"
    "\n"
    "Each network is held out once: a model of all groups that it does not have picks nests for its groups, of those\n"
    "that were recorded. 'shapes' holds every fifth group out, whatever network it is of. What is given with --judge\n"
    "is judged by the predictor itself, which has seen none of it.\n"
    "\n"
    "What it prints:\n"
    "  changed       groups for which it has picked another nest than the planned one\n"
    "  over best     time of what was picked over that of the fastest that was recorded, in the geometric mean\n"
    "  worst         the largest one\n"
    "  over planned  over that of the planned nest; 'planned over best' is what there was to win\n"
    "How much better than the planned nest a pick has to be is chosen by these.\n"
    "\n"
    "Example:\n"
    "  emulsion train a.jsonl.gz b.jsonl.gz c.jsonl.gz -o predictor.json\n"
    "  emulsion compile model.onnx --predict --predictor predictor.json --threads 2 -o model";

struct TrainArguments {
    std::vector<std::string> records, judged;
    std::string output, json;
    std::optional<double> margin;
    size_t importances = 20;
};

Json figures_json(const HeldOutFigures &figures) {
    return {{"tasks", figures.tasks},
            {"changed", figures.changed},
            {"over_best", figures.over_best},
            {"worst", figures.worst},
            {"over_planned", figures.over_planned},
            {"planned_over_best", figures.planned_over_best}};
}

Json figures_json(const std::vector<HeldOutFigures> &networks) {
    Json all = Json::array();
    for (const HeldOutFigures &figures : networks) {
        Json own = {{"network", figures.name}};
        own.update(figures_json(figures));
        all.push_back(std::move(own));
    }
    return all;
}

Json train_json(const Trained &trained, const std::vector<HeldOutFigures> &judged) {
    return {{"target", trained.predictor.scope().target},
            {"threads", trained.predictor.scope().threads},
            {"margin", trained.predictor.margin()},
            {"held_out", figures_json(trained.networks)},
            {"shapes", figures_json(trained.shapes)},
            {"judged", figures_json(judged)},
            {"importances", importances_json(trained.predictor.model().importances())}};
}

void print_figures(const HeldOutFigures &figures) {
    fmt::print("| {} | {} | {} | {:.3f} | {:.2f} | {:.3f} | {:.3f} |\n", figures.name,
               figures.tasks, figures.changed, figures.over_best, figures.worst,
               figures.over_planned, figures.planned_over_best);
}

// Of each, and of all together where there are several.
std::vector<HeldOutFigures> judged_by(const Predictor &predictor,
                                      const std::vector<std::string> &files) {
    std::vector<HeldOutFigures> figures;
    NetworkRecord all{"all judged", {}};
    for (const std::string &file : files) {
        const NetworkRecord network = read_network_record(file);
        for (const RecordedTask &recorded : network.tasks) {
            if (!predictor.knows(recorded.task.scope)) {
                throw Error("it was recorded for " + recorded.task.scope.target +
                                ", the others for " + predictor.scope().target +
                                ", or on another number of threads",
                            {.file = file});
            }
        }
        figures.push_back(held_out(network, predictor));
        all.tasks.insert(all.tasks.end(), network.tasks.begin(), network.tasks.end());
    }
    if (files.size() > 1) {
        figures.push_back(held_out(all, predictor));
    }
    return figures;
}

int train_command(const TrainArguments &given) {
    for (const std::string &file : {given.output, given.json}) {
        expect_writable(file);
    }
    std::vector<NetworkRecord> networks;
    size_t points = 0, tasks = 0;
    for (const std::string &file : given.records) {
        networks.push_back(read_network_record(file));
        tasks += networks.back().tasks.size();
        points += networks.back().points();
    }
    const Trained trained = train(networks, given.margin);
    const std::string text = trained.predictor.to_text();
    write_whole_file(given.output, {text});
    const std::vector<HeldOutFigures> judged = judged_by(trained.predictor, given.judged);
    write_json(given.json, "emulsion-train", train_json(trained, judged));
    fmt::print(
        "| held out | groups | changed | over best | worst | over planned | planned over best |\n");
    fmt::print("|---|---:|---:|---:|---:|---:|---:|\n");
    for (const HeldOutFigures &figures : trained.networks) {
        print_figures(figures);
    }
    print_figures(trained.shapes);
    for (const HeldOutFigures &figures : judged) {
        print_figures(figures);
    }
    fmt::print("\n{}: of {} points of {} groups, {} bytes, margin {}\n", given.output, points,
               tasks, text.size(), trained.predictor.margin());
    const auto importances = trained.predictor.model().importances();
    for (size_t i = 0; i < std::min(given.importances, importances.size()); i++) {
        fmt::print("{:>5.1f} %  {}\n", 100.0 * importances[i].second, importances[i].first);
    }
    return 0;
}

std::function<int()> add_train(CLI::App &app) {
    auto options = std::make_shared<TrainArguments>();
    app.add_option("RECORD", options->records, "Records of networks, one each")
        ->required()
        ->check(CLI::ExistingFile);
    app.add_option("-o,--output", options->output, "File to write the predictor to")
        ->type_name("FILE")
        ->required();
    app.add_option(
           "--judge", options->judged,
           "A record to judge the predictor by, which it is not trained on; may be repeated")
        ->type_name("RECORD")
        ->check(CLI::ExistingFile)
        ->allow_extra_args(false);
    app.add_option(
           "--margin", options->margin,
           "How much better than the planned nest a pick has to be, in the model's scores: 0 where it is the better one")
        ->default_str("what the networks that are held out ask for")
        ->type_name("M");
    app.add_option("--importances", options->importances, "Print so many features that it looks at")
        ->capture_default_str()
        ->type_name("N");
    add_result_flag(app, "--json", options->json, "Write all figures there");
    app.footer(kTrainManual);
    return [options] { return train_command(*options); };
}

}  // namespace

const Command &command_train() {
    static const Command command = {
        "train", "Train a predictor of loop nests on records of networks", add_train};
    return command;
}

}  // namespace emulsion
