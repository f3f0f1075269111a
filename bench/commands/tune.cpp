// emulsion tune: searches faster loop nests for a network by measuring them.

#include <filesystem>
#include <memory>

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include "backend/cache.h"
#include "backend/interrupt.h"
#include "backend/planned_model.h"
#include "bench/cli/validators.h"
#include "bench/commands/command.h"
#include "bench/compile_flags.h"
#include "bench/json_file.h"
#include "bench/progress.h"
#include "bench/result_flag.h"
#include "bench/shared_units.h"
#include "bench/tuning/curves.h"
#include "bench/tuning/record_tasks.h"
#include "bench/tuning/tune_network.h"
#include "bench/tuning/tuning_tables.h"
#include "bench/user_files.h"
#include "fusion/error.h"
#include "tuner/grid.h"
#include "tuner/record.h"
#include "tuner/strategy.h"

namespace emulsion {

namespace {

constexpr const char *kTuneManual =
    "Takes the groups of a planned network, the largest first, tries other loop nests of their spaces on\n"
    "this machine, and writes those that are faster: 'emulsion compile --tuned FILE' takes\n"
    "them. Candidates are compiled in worker processes, then run, one after the other, in a process of\n"
    "its own, in turns with the planned nest; what crashes, runs too long or computes something else is\n"
    "noted and left out. What was found is measured once more in other memory, and kept where the whole\n"
    "network, in turns with the untuned one, is faster and computes the same.\n"
    "After 70 % of the trials or the time the network is planned again, with measured prices in the place of\n"
    "the cost model's, and what is new in that plan is tuned as well (not with --keep-plan).\n"
    "\n"
    "What the numbers mean:\n"
    "  ms            of one launch with the planned nest\n"
    "  best          time of the fastest nest over that of the planned one, in the search\n"
    "  confirmed     the same in a second sitting; 1 where nothing was gained\n"
    "With --list:\n"
    "  predicted     ms of one launch\n"
    "  choices       parameters that may have other values than planned\n"
    "  grid          combinations of the values that are tried, valid or not\n"
    "  suggested     points that the machine suggests, of which 'bolt' takes the first\n"
    "\n"
    "Everything that was measured is kept in --store FILE: a second run goes on where the first ended, and\n"
    "whatever ends this program, at most the batch under way is lost.\n"
    "\n"
    "Examples:\n"
    "  emulsion tune mobilenet_v1.onnx --list --threads 2\n"
    "  emulsion tune mobilenet_v1.onnx --seconds 600 --threads 2 -o tuned.json\n"
    "  emulsion compile mobilenet_v1.onnx --tuned tuned.json --threads 2 -o mobilenet_v1";

struct TuneArguments {
    std::string model, output, json, store, curve;
    std::string record;  // file
    bool list = false;
    Recording recording;
    NetworkTuning tuning;
    CompileFlags flags;
};

std::vector<std::string> strategy_names() {
    std::vector<std::string> names;
    for (const StrategyKind *kind : all_strategies()) {
        names.push_back(kind->name);
    }
    return names;
}

// Beside the compiled units; empty where there is no such place.
std::string default_store() {
    const std::filesystem::path folder = default_cache_folder();
    return folder.empty() ? "" : (folder / "tuning.db").string();
}

Json tune_json(const TunedNetwork &tuned, const TuneArguments &given,
               const CompileOptions &options) {
    Json tasks = Json::array();
    for (size_t i = 0; i < tuned.tasks.size(); i++) {
        const TunedTask &task = tuned.session.tasks[i];
        Json outcomes = Json::object();
        for (const auto &[outcome, count] : task.outcomes) {
            outcomes[name_of(outcome)] = count;
        }
        tasks.push_back({{"problem", tuned.tasks[i].problem},
                         {"label", tuned.tasks[i].label},
                         {"template", tuned.tasks[i].planned.template_name},
                         {"launches", tuned.tasks[i].launches},
                         {"grid", Grid(tuned.tasks[i]).size()},
                         {"suggested", tuned.tasks[i].suggested.size()},
                         {"predicted_ms", tuned.tasks[i].predicted_ms},
                         {"planned_ms", task.curve.planned_ms},
                         {"trials", task.trials},
                         {"outcomes", outcomes},
                         {"curve", task.curve.best},
                         {"ratio", task.ratio},
                         {"confirmed", tuned.confirmed[i]}});
    }
    Json steps = Json::array();
    for (const TuningStep &step : tuned.steps) {
        steps.push_back({{"task", step.task}, {"seconds", step.seconds}, {"ratio", step.ratio}});
    }
    return {{"model", given.model},
            {"target", tuned.tuned.target},
            {"threads", options.plan.threads},
            {"machine", tuned.tuned.machine},
            {"strategy", given.tuning.session.strategy},
            {"seed", given.tuning.session.seed},
            {"trials", tuned.session.trials},
            {"seconds", tuned.session.seconds},
            {"untuned_ms", tuned.untuned_ms},
            {"tuned_ms", tuned.tuned_ms},
            {"planned_again_ms", tuned.planned_again_ms},
            {"plans", tuned.plans},
            {"has_plan", tuned.tuned.plan.has_value()},
            {"nests", tuned.tuned.nests.size()},
            {"steps", steps},
            {"tasks", tasks}};
}

void require_limits(const TuneArguments &given) {
    if (given.list || !given.record.empty()) {
        return;
    }
    if (given.output.empty()) {
        throw Error("where to write the loop nests is not said; give --output FILE");
    }
    if (given.tuning.session.trials <= 0 && given.tuning.session.seconds <= 0.0) {
        throw Error("how long to search is not said; give --trials N or --seconds S");
    }
}

NetworkTuning tuning_of(const TuneArguments &given, const CompileOptions &options) {
    NetworkTuning tuning = given.tuning;
    tuning.store = given.store;
    const auto folder = std::filesystem::path(tuning.store).parent_path();
    if (!folder.empty()) {
        make_folder(folder.string());
    }
    tuning.arguments = Json{{"model", given.model}, {"threads", options.plan.threads}}.dump(
        -1, ' ', false, Json::error_handler_t::replace);
    return tuning;
}

void print_found(const TunedNetwork &tuned, const std::string &output, double share) {
    print_tuned(tuned);
    fmt::print(
        "{} trials in {:.0f} s; {} more groups make less than {:.0f} % of the predicted time\n",
        tuned.session.trials, tuned.session.seconds, tuned.left_out, 100.0 * (1.0 - share));
    if (tuned.planned_again_ms > 0.0) {
        fmt::print("{} other plans with measured prices; the last, tuned: {:.3f} ms\n",
                   tuned.plans - 1, tuned.planned_again_ms);
    }
    if (tuned.best_ms() <= 0.0) {
        fmt::print("{}: no faster loop nest was found\n", output);
        return;
    }
    fmt::print("{}: {:.3f} ms, untuned {:.3f} ms ({:.3f} times as fast){}\n", output,
               tuned.best_ms(), tuned.untuned_ms, tuned.untuned_ms / tuned.best_ms(),
               !tuned.is_faster() ? "; the planner's plan and nests stay"
               : tuned.tuned.plan ? "; with a plan of its own"
                                  : "");
}

void record(const PlannedModel &planned, const CompileOptions &options, const TuneArguments &given,
            Progress &progress) {
    const std::vector<RecordedTask> tasks =
        record_tasks(planned, options, given.recording, progress);
    progress.clear();
    write_record(given.record, tasks);
    size_t points = 0;
    for (const RecordedTask &task : tasks) {
        points += task.points.size();
    }
    fmt::print("{}: {} points of {} groups\n", given.record, points, tasks.size());
}

int tune(const TuneArguments &given) {
    const InterruptGuard guard;
    require_limits(given);
    for (const std::string &file : {given.output, given.json, given.record, given.curve}) {
        expect_writable(file);
    }
    Progress progress;
    CompileOptions options = given.flags.options(progress);
    if (options.plan.tuned) {
        throw Error(
            "--tuned does not go with tune, which begins at the planner's loop nests; what was "
            "measured before is in --store");
    }
    const SharedUnits shared(options);
    progress.show(0, 0, "planning " + given.model);
    const PlannedModel planned = planned_model(loaded_model(given.model, options), options);
    if (given.list) {
        const TunedNetwork tasks = list_tasks(planned, options, given.tuning);
        progress.clear();
        write_json(given.json, "emulsion-tune", tune_json(tasks, given, options));
        print_tasks(tasks);
        return 0;
    }
    if (!given.record.empty()) {
        record(planned, options, given, progress);
        return 0;
    }
    const NetworkTuning tuning = tuning_of(given, options);
    const TunedNetwork tuned = tune_network(planned, options, tuning, progress);
    progress.clear();
    write_whole_file(given.output, {to_json(tuned.tuned)});
    write_json(given.json, "emulsion-tune", tune_json(tuned, given, options));
    if (!given.curve.empty()) {
        write_whole_file(given.curve, {curves_svg(tuned, given.model)});
    }
    print_found(tuned, given.output, tuning.share);
    return 0;
}

std::function<int()> add_tune(CLI::App &app) {
    auto options = std::make_shared<TuneArguments>();
    SessionOptions &session = options->tuning.session;
    app.add_option("MODEL.onnx", options->model, "The network")->required();
    app.add_option("-o,--output", options->output,
                   "File to write the loop nests to; '-' is standard output")
        ->type_name("FILE");
    app.add_flag("--list", options->list,
                 "Print the groups and the sizes of their spaces, and end");
    app.add_option("--curve", options->curve, "Draw how the groups became faster, as SVG")
        ->type_name("FILE.svg");
    app.add_option("--record", options->record,
                   "Measure all of small grids twice, and write them to this file, for replay")
        ->type_name("FILE");
    app.add_option("--points", options->recording.points, "Of every group that is recorded")
        ->capture_default_str()
        ->type_name("N")
        ->check(within(1, 100'000));
    app.add_option("--trials", session.trials, "Measure so many candidates, all groups together")
        ->default_str("no limit")
        ->type_name("N")
        ->check(within(1, 10'000'000));
    app.add_option("--seconds", session.seconds, "Search for so long")
        ->default_str("no limit")
        ->type_name("S")
        ->check(CLI::PositiveNumber);
    app.add_option("--strategy", session.strategy, "What is tried next")
        ->capture_default_str()
        ->type_name("NAME")
        ->check(words(strategy_names()));
    app.add_option("--seed", session.seed, "Of what is drawn at random")
        ->capture_default_str()
        ->type_name("N");
    app.add_flag("--keep-plan{false}", options->tuning.plans_again,
                 "Do not plan the network again with measured prices");
    options->store = default_store();
    app.add_option("--store", options->store, "File of all measurements")
        ->default_str("tuning.db in $XDG_CACHE_HOME/emulsion or ~/.cache/emulsion")
        ->type_name("FILE");
    add_result_flag(app, "--json", options->json, "Write all figures there");
    options->flags.add_to(app);
    app.footer(kTuneManual);
    return [options] { return tune(*options); };
}

}  // namespace

const Command &command_tune() {
    static const Command command = {"tune", "Search faster loop nests by measuring them", add_tune};
    return command;
}

}  // namespace emulsion
