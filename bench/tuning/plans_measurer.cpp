#include "bench/tuning/plans_measurer.h"

#include <utility>

#include <fmt/format.h>

#include "backend/seconds_since.h"
#include "fusion/error.h"

namespace emulsion {

void PlansMeasurer::add(const TuningTask &task, const PlannedModel &planned) {
    std::unique_ptr<LocalMeasurer> &measurer = measurers_[&planned];
    if (!measurer) {
        measurer = std::make_unique<LocalMeasurer>(planned, options_, trial_);
    }
    of_problem_.emplace(task.problem, measurer.get());
}

void PlansMeasurer::start() {
    if (!std::exchange(has_begun_, true)) {
        begin_ = Clock::now();
    }
}

std::vector<Result> PlansMeasurer::measure(const TuningTask &task, const std::vector<Nest> &nests) {
    start();
    LocalMeasurer &measurer = *of_problem_.at(task.problem);
    measurer.set_reference(trial_.race.reference);
    std::vector<Result> results = measurer.measure(task, nests);
    trial_.race.reference = measurer.reference();
    return results;
}

std::vector<CodeFeatures> PlansMeasurer::code(const TuningTask &task,
                                              const std::vector<Nest> &nests) {
    start();
    return of_problem_.at(task.problem)->code(task, nests);
}

void PlansMeasurer::require_quiet() const {
    constexpr int kSeveral = 6;
    int sittings = 0, drifted = 0;
    for (const auto &[planned, measurer] : measurers_) {
        sittings += measurer->sittings();
        drifted += measurer->drifted();
    }
    if (drifted >= kSeveral && 2 * drifted > sittings) {
        throw failure(fmt::format(
            "the machine is too noisy to measure on: in {} of {} sittings the planned loop nest itself "
            "became more than {:.0f} % faster or slower; end what else runs here, and go on with the "
            "same command, or take the machine as it is with --noise P",
            drifted, sittings, 100.0 * trial_.race.most_drift));
    }
}

double PlansMeasurer::seconds() const { return has_begun_ ? seconds_since(begin_) : 0.0; }

double PlansMeasurer::planned_ms(const TuningTask &task) const {
    return of_problem_.at(task.problem)->planned_ms(task);
}

}  // namespace emulsion
