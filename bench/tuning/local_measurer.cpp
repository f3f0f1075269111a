#include "bench/tuning/local_measurer.h"

#include <algorithm>
#include <chrono>
#include <cmath>

#include "backend/seconds_since.h"
#include "backend/temporary_folder.h"
#include "backend/unit_builder.h"
#include "backend/unit_features.h"
#include "bench/shared_units.h"
#include "bench/tuning/network_calls.h"
#include "bench/tuning/unit_calls.h"
#include "bench/user_files.h"
#include "frontend/lower/compute_constants.h"
#include "frontend/lower/problem_key.h"
#include "frontend/lower/set_nests.h"
#include "fusion/error.h"

namespace emulsion {

namespace {

// The logarithm to base 2 of the cycles that the cost model expects of a nest; 0 where it knows none.
double expected_cycles(const TuningTask &task, const Nest &nest) {
    if (!task.facts) {
        return 0.0;
    }
    const std::vector<std::string> &names = task.facts->names();
    const auto found = std::find(names.begin(), names.end(), "cycles");
    return found == names.end() ? 0.0
                                : task.facts->of(nest)[static_cast<size_t>(found - names.begin())];
}

// In the place of a trial: all of them are right.
Tried expected(const TuningTask &task, const std::vector<Nest> &nests) {
    Tried tried;
    const double planned = expected_cycles(task, task.planned);
    for (const Nest &nest : nests) {
        const double ratio = std::exp2(expected_cycles(task, nest) - planned);
        tried.results.push_back({{}, Outcome::Ok, ratio, ratio * task.predicted_ms});
    }
    return tried;
}

}  // namespace

LocalMeasurer::LocalMeasurer(const PlannedModel &planned, const CompileOptions &options,
                             const TrialOptions &trial)
    : model_(planned), candidates_(planned.networks.front()), options_(options), trial_(trial) {
    const PlannedNetwork &network = planned.networks.front();
    options_.progress = nullptr;
    shared_ = std::make_unique<SharedUnits>(options_);
    compute_constants(candidates_);
    const std::vector<size_t> launched = network.launched_groups();
    for (size_t i = 0; i < launched.size(); i++) {
        const PlannedLaunch &launch = network.launches[i];
        planned_.emplace(problem_key(launch.unit),
                         Planned{launch, network.plan.groups[launched[i]]});
    }
}

LocalMeasurer::~LocalMeasurer() = default;

void LocalMeasurer::set_candidates(const TuningTask &task, const std::vector<Nest> &nests) {
    const auto &[planned, group] = planned_.at(task.problem);
    candidates_.launches = {planned};
    for (const Nest &nest : nests) {
        candidates_.launches.push_back(planned);
        set_nest(candidates_, group, nest, candidates_.launches.back().unit);
    }
}

std::vector<CodeFeatures> LocalMeasurer::code(const TuningTask &task,
                                              const std::vector<Nest> &nests) {
    set_candidates(task, nests);
    std::vector<const Unit *> units;
    for (size_t i = 1; i < candidates_.launches.size(); i++) {
        units.push_back(&candidates_.launches[i].unit);
    }
    return features_of_units(units, options_);
}

std::vector<Result> LocalMeasurer::measure(const TuningTask &task, const std::vector<Nest> &nests) {
    const auto begin = std::chrono::steady_clock::now();
    set_candidates(task, nests);
    const auto scratch = make_scratch_folder();
    const BuiltUnits built = build_units(candidates_, options_, scratch->path(), {});

    std::vector<Result> results(nests.size());
    std::vector<size_t> compiled;  // positions in `nests`
    std::vector<Nest> compiled_nests{task.planned};
    std::vector<PlannedLaunch> launches{candidates_.launches.front()};
    for (size_t i = 0; i < nests.size(); i++) {
        const PlannedLaunch &launch = candidates_.launches[i + 1];
        const UnitOutcome &unit = built.units.at(unit_key(launch.unit));
        if (unit.error) {
            results[i] = {
                {},
                unit.error->kind() == ErrorKind::Refused ? Outcome::Refused : Outcome::FailedToCompile,
                0.0,
                0.0,
                0.0,
                unit.error->message()};
        } else if (unit.shrunk) {
            results[i] = {{},  Outcome::Refused,
                          0.0, 0.0,
                          0.0, "it could only be compiled as a smaller loop nest"};
        } else {
            compiled.push_back(i);
            compiled_nests.push_back(nests[i]);
            launches.push_back(launch);
        }
    }
    candidates_.launches = std::move(launches);
    const Tried found =
        trial_.compiles_only ? expected(task, compiled_nests) : tried(task, compiled_nests);
    note(found);
    planned_ms_[task.problem] = found.results.front().ms;
    for (size_t i = 0; i < compiled.size(); i++) {
        results[compiled[i]] = found.results[i + 1];
    }
    const double each = seconds_since(begin) / static_cast<double>(nests.size());
    for (size_t i = 0; i < nests.size(); i++) {
        results[i].nest = nests[i];
        results[i].seconds = each;
    }
    return results;
}

// `compiled` are the planned nest and those that compile, which are the launches of candidates_.
Tried LocalMeasurer::tried(const TuningTask &task, const std::vector<Nest> &compiled) const {
    return try_candidates(
        compiled.size(),
        [&](const std::vector<size_t> &alive) -> std::unique_ptr<CandidateCalls> {
            if (candidates_.on_gpu) {
                return std::make_unique<NetworkCalls>(model_, options_, task.problem, compiled,
                                                      alive);
            }
            return std::make_unique<UnitCalls>(candidates_, options_, alive, trial_.race.seed);
        },
        trial_);
}

void LocalMeasurer::note(const Tried &found) {
    // A machine that is never as quiet as it was once is not waited for any longer.
    constexpr int kMostDisturbed = 3;
    sittings_++;
    drifted_ += found.has_drifted ? 1 : 0;
    disturbed_ = found.was_disturbed ? disturbed_ + 1 : 0;
    trial_.race.reference = disturbed_ < kMostDisturbed ? found.reference : ReferenceTimes{};
}

double LocalMeasurer::planned_ms(const TuningTask &task) const {
    const auto found = planned_ms_.find(task.problem);
    return found != planned_ms_.end() ? found->second : 0.0;
}

}  // namespace emulsion
