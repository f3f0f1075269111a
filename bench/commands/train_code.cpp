// emulsion train-code: a model of lowered code from what was measured.

#include <memory>

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include "bench/cli/validators.h"
#include "bench/commands/command.h"
#include "bench/json_file.h"
#include "bench/result_flag.h"
#include "bench/tuning/kind_names.h"
#include "bench/user_files.h"
#include "frontend/lower/lower_unit.h"
#include "fusion/error.h"
#include "tuner/code_model_figures.h"
#include "tuner/code_model_file.h"
#include "tuner/geometric_interval.h"

namespace emulsion {

namespace {

constexpr const char *kTrainCodeManual =
    "Learns how fast lowered code is from stores in which 'emulsion tune --rerank 1' (or more) has kept the\n"
    "code of what it has measured, and writes a model, of which 'emulsion tune --trained FILE' asks which\n"
    "candidates to measure.\n"
    "\n"
    "What it prints, of each group:\n"
    "  wrong pairs   of two nests, how often the slower one is thought faster, by a model of four fifths of the\n"
    "                groups, which this one is not among; 50 % is chance\n"
    "\n"
    "Example:\n"
    "  emulsion tune mobilenet_v1.onnx --threads 2 --rerank 1 --seconds 600 --store measured.db --search-only\n"
    "  emulsion train-code measured.db --model graph -o graph.json\n"
    "  emulsion tune model.onnx --threads 2 --seconds 60 --trained graph.json -o tuned.json";

struct TrainCodeArguments {
    std::vector<std::string> stores;
    std::string model = "graph", output, json;
    size_t fewest = 16;
    uint64_t seed = 1;
};

std::vector<StoredCode> measured(const TrainCodeArguments &given) {
    std::vector<StoredCode> all;
    for (const std::string &file : given.stores) {
        for (StoredCode &task : Store(file).measured_code(unit_features_versions())) {
            all.push_back(std::move(task));
        }
    }
    std::vector<StoredCode> tasks = tasks_with(std::move(all), given.fewest);
    if (tasks.size() < 2) {
        throw Error(fmt::format(
            "there are less than two groups with the code of at least {} nests; 'emulsion tune --rerank 1' keeps it in --store",
            given.fewest));
    }
    return tasks;
}

int train_code_command(const TrainCodeArguments &given) {
    for (const std::string &file : {given.output, given.json}) {
        expect_writable(file);
    }
    const std::vector<StoredCode> tasks = measured(given);
    const CodeModelKind &kind = find_code_model(given.model);
    std::vector<std::vector<size_t>> all(tasks.size());
    size_t programs = 0;
    for (size_t t = 0; t < tasks.size(); t++) {
        for (size_t i = 0; i < tasks[t].code.size(); i++) {
            all[t].push_back(i);
        }
        programs += all[t].size();
    }
    const std::string text =
        to_text(kind.name, *fitted(kind, given.seed, tasks, all), unit_features_versions());
    write_whole_file(given.output, {text});
    const RankErrors errors = errors_of_held_out_tasks(tasks, kind, given.seed);
    Json groups = Json::array();
    double sum = 0.0;
    fmt::print("| group | nests | wrong pairs |\n|---|---:|---:|\n");
    for (size_t t = 0; t < tasks.size(); t++) {
        fmt::print("| {} | {} | {:.1f} % |\n", tasks[t].label, all[t].size(), 100.0 * errors[t]);
        groups.push_back(
            {{"label", tasks[t].label}, {"nests", all[t].size()}, {"wrong_pairs", errors[t]}});
        sum += errors[t];
    }
    const double mean = sum / static_cast<double>(tasks.size());
    write_json(
        given.json, "emulsion-train-code",
        {{"model", kind.name}, {"nests", programs}, {"wrong_pairs", mean}, {"groups", groups}});
    fmt::print("\n{}: of {} nests of {} groups, {} bytes; wrong pairs {:.1f} %\n", given.output,
               programs, tasks.size(), text.size(), 100.0 * mean);
    return 0;
}

std::function<int()> add_train_code(CLI::App &app) {
    auto options = std::make_shared<TrainCodeArguments>();
    app.add_option("STORE", options->stores, "Stores with features of code")
        ->required()
        ->check(CLI::ExistingFile);
    app.add_option("-o,--output", options->output, "File to write the model to")
        ->type_name("FILE")
        ->required();
    app.add_option("--model", options->model, "What learns")
        ->capture_default_str()
        ->type_name("NAME")
        ->check(words(names_of(all_code_models())));
    app.add_option("--fewest", options->fewest, "Leave out groups with fewer nests")
        ->capture_default_str()
        ->type_name("N")
        ->check(within(2, 1'000'000));
    app.add_option("--seed", options->seed, "Of what is drawn at random")
        ->capture_default_str()
        ->type_name("N");
    add_result_flag(app, "--json", options->json, "Write all figures there");
    app.footer(kTrainCodeManual);
    return [options] { return train_code_command(*options); };
}

}  // namespace

const Command &command_train_code() {
    static const Command command = {
        "train-code", "Train a model of lowered code on stores of measurements", add_train_code};
    return command;
}

}  // namespace emulsion
