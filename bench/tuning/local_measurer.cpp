#include "bench/tuning/local_measurer.h"

#include <utility>

#include "backend/seconds_since.h"
#include "backend/temporary_folder.h"
#include "backend/unit_builder.h"
#include "bench/shared_units.h"
#include "bench/user_files.h"
#include "frontend/lower/compute_constants.h"
#include "frontend/lower/problem_key.h"
#include "fusion/error.h"
#include "fusion/group_nests.h"

namespace emulsion {

namespace {

using Clock = std::chrono::steady_clock;

}  // namespace

LocalMeasurer::LocalMeasurer(const PlannedNetwork &network, const CompileOptions &options,
                             const TrialOptions &trial)
    : candidates_(network), options_(options), trial_(trial) {
    options_.progress = nullptr;
    shared_ = std::make_unique<SharedUnits>(options_);
    compute_constants(candidates_);
    for (const PlannedLaunch &launch : network.launches) {
        launches_.emplace(problem_key(launch.unit), launch);
    }
}

LocalMeasurer::~LocalMeasurer() = default;

std::vector<Result> LocalMeasurer::measure(const TuningTask &task, const std::vector<Nest> &nests) {
    if (!std::exchange(has_begun_, true)) {
        begin_ = Clock::now();
    }
    const Clock::time_point begin = Clock::now();
    const PlannedLaunch &planned = launches_.at(task.problem);
    candidates_.launches = {planned};
    for (const Nest &nest : nests) {
        candidates_.launches.push_back(planned);
        set_group_nest(candidates_.launches.back().unit.plan.groups.front(), nest);
    }
    const auto scratch = make_scratch_folder();
    const BuiltUnits built = build_units(candidates_, options_, scratch->path(), {});

    std::vector<Result> results(nests.size());
    std::vector<size_t> compiled;  // positions in `nests`
    std::vector<PlannedLaunch> launches{planned};
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
            launches.push_back(launch);
        }
    }
    candidates_.launches = std::move(launches);
    const std::vector<Result> tried = try_candidates(candidates_, options_, trial_);
    planned_ms_[task.problem] = tried.front().ms;
    for (size_t i = 0; i < compiled.size(); i++) {
        results[compiled[i]] = tried[i + 1];
    }
    const double each = seconds_since(begin) / static_cast<double>(nests.size());
    for (size_t i = 0; i < nests.size(); i++) {
        results[i].nest = nests[i];
        results[i].seconds = each;
    }
    return results;
}

double LocalMeasurer::seconds() const { return has_begun_ ? seconds_since(begin_) : 0.0; }

double LocalMeasurer::planned_ms(const TuningTask &task) const {
    const auto found = planned_ms_.find(task.problem);
    return found != planned_ms_.end() ? found->second : 0.0;
}

}  // namespace emulsion
