// emulsion tune: searches faster loop nests for a network by measuring them.

#include <filesystem>
#include <memory>

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include "backend/interrupt.h"
#include "backend/planned_model.h"
#include "bench/commands/command.h"
#include "bench/host.h"
#include "bench/json_file.h"
#include "bench/progress.h"
#include "bench/shared_units.h"
#include "bench/tuning/curves.h"
#include "bench/tuning/search_explanation.h"
#include "bench/tuning/search_page.h"
#include "bench/tuning/tune_flags.h"
#include "bench/tuning/tuned_json.h"
#include "bench/tuning/tuning_tables.h"
#include "bench/user_files.h"
#include "fusion/error.h"
#include "tuner/grid.h"
#include "tuner/predictor.h"
#include "tuner/record.h"

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
    "  sketches      structures that nests may have, without the numbers\n"
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
    if (tuned.plans > 1) {
        fmt::print(
            "{} other plan{} with measured prices: {:.3f} times as long after 70 % of the search",
            tuned.plans - 1, tuned.plans > 2 ? "s" : "", tuned.other_over_first);
        fmt::print("{}\n",
                   tuned.other.ms > 0.0 ? fmt::format("; tuned: {:.3f} ms", tuned.other.ms) : "");
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

// Which learned strategies begin with, and which is all that one of them has.
void take_predictor(TuneArguments &given, const std::string &target, int threads) {
    SessionOptions &session = given.tuning.search.session;
    session.predictor = given.flags.predictor();
    if (session.strategy == "oneshot" && !session.predictor->knows({target, threads, ""})) {
        throw Error(fmt::format(
            "--strategy oneshot: its predictor was trained for {} on {} threads, and this is for {} "
            "on {}; 'emulsion train' makes one of what --trajectory has written, which "
            "--predictor takes",
            session.predictor->scope().target, session.predictor->scope().threads, target,
            threads));
    }
}

int tune(TuneArguments given) {
    const InterruptGuard guard;
    settle_tune_flags(given);
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
    if (options.plan.predictor) {
        throw Error(
            "--predict does not go with tune, which begins at the planner's loop nests; --strategy oneshot "
            "measures what a predictor picks");
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
    take_predictor(given, planned.networks.front().target, options.plan.threads);
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

std::function<int()> add_tune(CLI::App &app) {
    auto options = std::make_shared<TuneArguments>();
    app.add_option("MODEL.onnx", options->model, "The network")->required();
    add_tune_flags(app, *options);
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
