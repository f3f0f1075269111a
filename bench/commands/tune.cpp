// emulsion tune: searches faster loop nests for a network by measuring them.

#include <filesystem>
#include <memory>
#include <span>

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include "backend/cache.h"
#include "backend/interrupt.h"
#include "backend/planned_model.h"
#include "bench/cli/validators.h"
#include "bench/commands/command.h"
#include "bench/compile_flags.h"
#include "bench/host.h"
#include "bench/json_file.h"
#include "bench/progress.h"
#include "bench/result_flag.h"
#include "bench/shared_units.h"
#include "bench/tuning/curves.h"
#include "bench/tuning/record_tasks.h"
#include "bench/tuning/search_explanation.h"
#include "bench/tuning/search_page.h"
#include "bench/tuning/tune_network.h"
#include "bench/tuning/tuned_json.h"
#include "bench/tuning/tuning_tables.h"
#include "bench/user_files.h"
#include "fusion/error.h"
#include "tuner/allocator.h"
#include "tuner/grid.h"
#include "tuner/model.h"
#include "tuner/record.h"
#include "tuner/strategy.h"

namespace emulsion {

namespace {

constexpr const char *kTuneManual =
    "Takes the groups of a planned network, the largest first, tries other loop nests of their spaces on\n"
    "this machine, and writes those that are faster: 'emulsion compile --tuned FILE' takes\n"
    "them. Candidates are compiled in worker processes, then run, one after the other, in a process of\n"
    "its own, in turns with the planned nest; what crashes, runs too long or computes something else is\n"
    "noted and left out. The fastest few nests of every group then run in the whole network, where the one\n"
    "that is faster than the planned one is taken; all are kept where the whole network, in turns with the\n"
    "untuned one, is faster and computes the same.\n"
    "After 70 % of the trials or the time the network is planned again, with measured prices in the place of\n"
    "the cost model's, and what is new in that plan is tuned as well (not with --keep-plan).\n"
    "\n"
    "What the numbers mean:\n"
    "  ms            of one launch with the planned nest\n"
    "  best          time of the fastest nest over that of the planned one, in the search\n"
    "  in network    the same in runs of the whole network; 1 where the planned nest stays\n"
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
    std::string record, trajectory, page;  // files
    bool explain = false;
    bool list = false;
    Recording recording;
    NetworkTuning tuning;
    double noise = 100.0 * RaceOptions().most_drift;  // percent
    CompileFlags flags;
};

template<typename Kind>
std::vector<std::string> names_of(std::span<const Kind *const> kinds) {
    std::vector<std::string> names;
    for (const Kind *kind : kinds) {
        names.push_back(kind->name);
    }
    return names;
}

// Beside the compiled units; empty where there is no such place.
std::string default_store() {
    const std::filesystem::path folder = default_cache_folder();
    return folder.empty() ? "" : (folder / "tuning.db").string();
}

void require_limits(const TuneArguments &given) {
    if (given.list || !given.record.empty()) {
        return;
    }
    if (given.output.empty() && !given.tuning.searches_only) {
        throw Error("where to write the loop nests is not said; give --output FILE");
    }
    if (given.tuning.search.session.trials <= 0 && given.tuning.search.session.seconds <= 0.0) {
        throw Error("how long to search is not said; give --trials N or --seconds S");
    }
}

NetworkTuning tuning_of(const TuneArguments &given, const CompileOptions &options) {
    NetworkTuning tuning = given.tuning;
    tuning.search.store = given.store;
    tuning.search.trial.race.most_drift = given.noise / 100.0;
    const auto folder = std::filesystem::path(tuning.search.store).parent_path();
    if (!folder.empty()) {
        make_folder(folder.string());
    }
    tuning.search.arguments = Json{{"model", given.model}, {"threads", options.plan.threads}}.dump(
        -1, ' ', false, Json::error_handler_t::replace);
    return tuning;
}

void print_found(const TunedNetwork &tuned, const std::string &output, double share) {
    print_tuned(tuned);
    fmt::print(
        "{} trials in {:.0f} s; {} more groups make less than {:.0f} % of the predicted time\n",
        tuned.trials, tuned.seconds, tuned.left_out, 100.0 * (1.0 - share));
    if (tuned.first.ms > 0.0) {
        fmt::print("the planner's plan, tuned: {:.3f} ms\n", tuned.first.ms);
    }
    if (tuned.other.ms > 0.0) {
        fmt::print("{} other plans with measured prices; the cheapest, tuned: {:.3f} ms\n",
                   tuned.plans - 1, tuned.other.ms);
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

int list(const PlannedModel &planned, const CompileOptions &options, const TuneArguments &given,
         Progress &progress) {
    const ChosenTasks chosen =
        choose_tasks(planned, options, given.tuning.share, given.tuning.only);
    TunedNetwork nothing;
    nothing.left_out = chosen.left_out;
    nothing.tuned.target = planned.networks.front().target;
    nothing.tuned.machine = machine_fingerprint(host_info());
    for (const TuningTask &task : chosen.tasks) {
        nothing.tasks.push_back({task, {.best = BestPoint(task.planned)}});
    }
    progress.clear();
    write_json(given.json, "emulsion-tune",
               tuned_json(nothing, given.model, options.plan.threads, given.tuning.search.session));
    print_tasks(chosen.tasks);
    return 0;
}

int tune(const TuneArguments &given) {
    const InterruptGuard guard;
    require_limits(given);
    for (const std::string &file :
         {given.output, given.json, given.record, given.curve, given.trajectory, given.page}) {
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
        return list(planned, options, given, progress);
    }
    if (!given.record.empty()) {
        record(planned, options, given, progress);
        return 0;
    }
    const NetworkTuning tuning = tuning_of(given, options);
    const TunedNetwork tuned = tune_network(planned, options, tuning, progress);
    progress.clear();
    if (!given.tuning.searches_only) {
        write_whole_file(given.output, {to_json(tuned.tuned)});
    }
    write_json(given.json, "emulsion-tune",
               tuned_json(tuned, given.model, options.plan.threads, given.tuning.search.session));
    if (!given.trajectory.empty()) {
        write_record(given.trajectory, tuned.trajectories);
    }
    if (!given.curve.empty()) {
        write_whole_file(given.curve, {curves_svg(tuned, given.model)});
    }
    if (!given.page.empty()) {
        write_whole_file(given.page,
                         {search_page(tuned, given.model, tuning.search.session.strategy)});
    }
    if (given.tuning.searches_only) {
        print_tuned(tuned);
    } else {
        print_found(tuned, given.output, tuning.share);
    }
    if (given.explain) {
        print_explanation(explain_search(tuned));
    }
    return 0;
}

void add_outputs(CLI::App &app, TuneArguments &given) {
    app.add_option("-o,--output", given.output,
                   "File to write the loop nests to; '-' is standard output")
        ->type_name("FILE");
    app.add_option("--curve", given.curve, "Draw how the groups became faster, as SVG")
        ->type_name("FILE.svg");
    app.add_flag("--explain", given.explain,
                 "Print where fast nests came from, what the model believed, and how right it was");
    app.add_option(
           "--page", given.page,
           "Write a page with the trials of every group as a picture, and what --explain prints")
        ->type_name("FILE.html");
    app.add_option("--trajectory", given.trajectory,
                   "Write what was measured of the groups as a record, for 'emulsion train'")
        ->type_name("FILE");
    given.store = default_store();
    app.add_option("--store", given.store, "File of all measurements")
        ->default_str("tuning.db in $XDG_CACHE_HOME/emulsion or ~/.cache/emulsion")
        ->type_name("FILE");
    add_result_flag(app, "--json", given.json, "Write all figures there");
}

void add_recording(CLI::App &app, TuneArguments &given) {
    app.add_option("--record", given.record,
                   "Measure all of small grids twice, and write them to this file, for replay")
        ->type_name("FILE");
    app.add_option("--points", given.recording.points, "Of every group that is recorded")
        ->capture_default_str()
        ->type_name("N")
        ->check(within(1, 100'000));
    app.add_flag(
        "--spread", given.recording.spread,
        "Record points of the whole space, which are far apart, not those around the planned one");
    app.add_option("--of-each", given.recording.tasks_of_each,
                   "Record so many groups with loop nests of the same templates, the largest ones")
        ->capture_default_str()
        ->type_name("N")
        ->check(within(1, 1000));
    app.add_option("--groups", given.recording.tasks, "Record so many groups, the largest ones")
        ->default_str("no limit")
        ->type_name("N")
        ->check(within(1, 100'000));
    app.add_option("--most-ms", given.recording.most_ms,
                   "Do not record groups that are predicted to take longer")
        ->capture_default_str()
        ->type_name("MS")
        ->check(CLI::PositiveNumber);
    app.add_option("--passes", given.recording.passes,
                   "How often a sitting of --record measures all points")
        ->capture_default_str()
        ->type_name("N")
        ->check(within(1, 100));
    app.add_option("--apart", given.recording.apart,
                   "Begin the second sitting of --record so many seconds after the first, or later")
        ->default_str("0")
        ->type_name("S")
        ->check(CLI::Range(0.0, 86400.0));
}

// How a search goes on, and when it ends.
void add_session(CLI::App &app, SessionOptions &session) {
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
        ->check(words(names_of(all_strategies())));
    app.add_option("--seed", session.seed, "Of what is drawn at random")
        ->capture_default_str()
        ->type_name("N");
    app.add_option("--allocator", session.allocator, "Which group gets the next candidates")
        ->capture_default_str()
        ->type_name("NAME")
        ->check(words(names_of(all_allocators())));
    app.add_option("--model", session.model, "What strategies that learn have as their model")
        ->capture_default_str()
        ->type_name("NAME")
        ->check(words(names_of(all_models())));
    app.add_option("--batch", session.batch, "Candidates of a group that are measured together")
        ->capture_default_str()
        ->type_name("N")
        ->check(within(1, 1000));
}

// What else is done, and with which groups.
void add_scope(CLI::App &app, TuneArguments &given) {
    app.add_flag("--list", given.list, "Print the groups and the sizes of their spaces, and end");
    app.add_option("--only", given.tuning.only,
                   "Tune those groups whose operators' names have that text")
        ->type_name("TEXT");
    app.add_flag(
        "--search-only", given.tuning.searches_only,
        "End after the search, which --store and --json keep, without judging in the network");
    app.add_flag("--keep-plan{false}", given.tuning.plans_again,
                 "Do not plan the network again with measured prices");
    app.add_option(
           "--noise", given.noise,
           "Measure again, and in the end refuse the machine, where the planned loop nest itself became "
           "faster or slower by more than so many percent")
        ->capture_default_str()
        ->type_name("P")
        ->check(CLI::PositiveNumber);
}

std::function<int()> add_tune(CLI::App &app) {
    auto options = std::make_shared<TuneArguments>();
    app.add_option("MODEL.onnx", options->model, "The network")->required();
    add_outputs(app, *options);
    add_session(app, options->tuning.search.session);
    add_scope(app, *options);
    add_recording(app, *options);
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
