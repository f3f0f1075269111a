#include "bench/tuning/plans_measurer.h"

#include <utility>

#include "backend/seconds_since.h"

namespace emulsion {

void PlansMeasurer::add(const TuningTask &task, const PlannedNetwork &network) {
    std::unique_ptr<LocalMeasurer> &measurer = measurers_[&network];
    if (!measurer) {
        measurer = std::make_unique<LocalMeasurer>(network, options_, trial_);
    }
    of_problem_.emplace(task.problem, measurer.get());
}

std::vector<Result> PlansMeasurer::measure(const TuningTask &task, const std::vector<Nest> &nests) {
    if (!std::exchange(has_begun_, true)) {
        begin_ = Clock::now();
    }
    return of_problem_.at(task.problem)->measure(task, nests);
}

double PlansMeasurer::seconds() const { return has_begun_ ? seconds_since(begin_) : 0.0; }

double PlansMeasurer::planned_ms(const TuningTask &task) const {
    return of_problem_.at(task.problem)->planned_ms(task);
}

}  // namespace emulsion
