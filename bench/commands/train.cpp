// emulsion train: a predictor of loop nests from what was recorded.

#include <algorithm>
#include <memory>

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include "bench/commands/command.h"
#include "bench/json_file.h"
#include "bench/result_flag.h"
#include "bench/tuning/tuned_json.h"
#include "bench/user_files.h"
#include "tuner/record.h"
#include "tuner/train.h"

namespace emulsion {

namespace {

constexpr const char *kTrainManual =
    "Learns from records of many networks which loop nests are fast, and writes a predictor that picks\n"
    "them without measuring anything. A record is what 'emulsion tune --trajectory' or '--record' has written,\n"
    "of one network each.\n"
    "\n"
    "Each network is held out once, and a model of all others picks nests for its groups, of those that\n"
    "were recorded:\n"
    "  changed       groups for which it has picked another nest than the planned one\n"
    "  over best     time of what was picked over that of the fastest that was recorded, in the geometric mean\n"
    "  worst         the largest one\n"
    "  over planned  over that of the planned nest\n"
    "How much better than the planned nest a pick has to be is chosen by these.\n"
    "\n"
    "Example:\n"
    "  emulsion train a.jsonl.gz b.jsonl.gz c.jsonl.gz -o predictor.json";

struct TrainArguments {
    std::vector<std::string> records;
    std::string output, json;
    size_t importances = 20;
};

Json train_json(const Trained &trained) {
    Json networks = Json::array();
    for (const HeldOutFigures &figures : trained.held_out) {
        networks.push_back({{"network", figures.network},
                            {"tasks", figures.tasks},
                            {"changed", figures.changed},
                            {"over_best", figures.over_best},
                            {"worst", figures.worst},
                            {"over_planned", figures.over_planned},
                            {"planned_over_best", figures.planned_over_best}});
    }
    return {{"margin", trained.predictor.margin()},
            {"held_out", networks},
            {"importances", importances_json(trained.predictor.model().importances())}};
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
    const Trained trained = train(networks);
    const std::string text = trained.predictor.to_text();
    write_whole_file(given.output, {text});
    write_json(given.json, "emulsion-train", train_json(trained));
    fmt::print(
        "| held out | groups | changed | over best | worst | over planned | planned over best |\n");
    fmt::print("|---|---:|---:|---:|---:|---:|---:|\n");
    for (const HeldOutFigures &figures : trained.held_out) {
        fmt::print("| {} | {} | {} | {:.3f} | {:.2f} | {:.3f} | {:.3f} |\n", figures.network,
                   figures.tasks, figures.changed, figures.over_best, figures.worst,
                   figures.over_planned, figures.planned_over_best);
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
