#include "bench/tuning/tune_flags.h"

#include <algorithm>
#include <filesystem>

#include <CLI/CLI.hpp>

#include "backend/cache.h"
#include "bench/cli/validators.h"
#include "bench/result_flag.h"
#include "bench/tuning/kind_names.h"
#include "bench/user_files.h"
#include "frontend/lower/lower_unit.h"
#include "fusion/error.h"
#include "tuner/allocator.h"
#include "tuner/code_model_file.h"
#include "tuner/model.h"
#include "tuner/strategy.h"

namespace emulsion {

namespace {

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

// What was not measured is not to be taken for what was.
void settle_compile_only(TuneArguments &given) {
    if (!given.tuning.search.trial.compiles_only) {
        return;
    }
    for (const std::string &file : {given.output, given.record, given.trajectory}) {
        if (!file.empty()) {
            throw Error("--compile-only measures nothing that could be written to " + file +
                        "; it goes with --json, --page and --explain");
        }
    }
    given.tuning.searches_only = true;
    given.store.clear();
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

// Models of points and those of code.
std::vector<std::string> model_names() {
    std::vector<std::string> names = names_of(all_models());
    const std::vector<std::string> of_code = names_of(all_code_models());
    names.insert(names.end(), of_code.begin(), of_code.end());
    return names;
}

bool is_of_code(const std::string &model) {
    const std::vector<std::string> names = names_of(all_code_models());
    return std::find(names.begin(), names.end(), model) != names.end();
}

// A model of code chooses among more candidates than are measured.
void settle_model(TuneArguments &given) {
    constexpr size_t kLookedAt = 4;
    SessionOptions &session = given.tuning.search.session;
    if (!given.trained.empty()) {
        const TrainedCodeModel trained =
            code_model_from(read_user_file(given.trained), given.trained, unit_features_versions());
        if (!given.model_kind.empty() && given.model_kind != trained.kind) {
            throw Error("it is a model of the kind '" + trained.kind + "', and --model asks for '" +
                            given.model_kind + "'",
                        {.file = given.trained});
        }
        session.trained_code = trained.model;
        given.model_kind = trained.kind;
    }
    if (!is_of_code(given.model_kind)) {
        session.model = given.model_kind;
        return;
    }
    session.code_model = given.model_kind;
    if (session.rerank == 0) {
        session.rerank = kLookedAt;
    }
}

// How a search goes on, and when it ends.
void add_session(CLI::App &app, TuneArguments &given) {
    SessionOptions &session = given.tuning.search.session;
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
    app.add_option(
           "--model", given.model_kind,
           "What learns: of points, the model of strategies that learn; of code, the model that --rerank asks")
        ->default_str("the strategy's own of points, statements of code")
        ->type_name("NAME")
        ->check(words(model_names()));
    app.add_option(
           "--trained", given.trained,
           "Ask a model of code that 'emulsion train-code' has written, which learns nothing more")
        ->type_name("FILE")
        ->check(CLI::ExistingFile);
    app.add_option(
           "--rerank", session.rerank,
           "Lower N times as many candidates as are measured, and measure those whose code a model thinks "
           "fastest; 1 keeps features of the code in --store, no more")
        ->default_str("4 with a model of code, else none is lowered")
        ->type_name("N")
        ->check(within(1, 64));
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
    app.add_flag(
        "--compile-only", given.tuning.search.trial.compiles_only,
        "Search without running anything: candidates that compile take the time that the cost model "
        "expects. For GPUs that are not here; keeps nothing, and ends after the search");
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

}  // namespace

void add_tune_flags(CLI::App &app, TuneArguments &given) {
    add_outputs(app, given);
    add_session(app, given);
    add_scope(app, given);
    add_recording(app, given);
}

void settle_tune_flags(TuneArguments &given) {
    settle_model(given);
    settle_compile_only(given);
    require_limits(given);
}

}  // namespace emulsion
