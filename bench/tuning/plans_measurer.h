// Measures candidates of several plans of one network.
#pragma once

#include <chrono>
#include <map>
#include <memory>
#include <string>

#include "backend/compiler.h"
#include "bench/tuning/candidate_trial.h"
#include "bench/tuning/local_measurer.h"
#include "tuner/measurer.h"

namespace emulsion {

// Its clock runs on from the first measurement, whatever is done between two of them.
class PlansMeasurer : public Measurer {
public:
    PlansMeasurer(const CompileOptions &options, const TrialOptions &trial)
        : options_(options), trial_(trial) {}

    // `task` is one of the first network of `planned` (tasks_of), which outlives this. A task that is known stays with the model that it was
    // added with.
    void add(const TuningTask &task, const PlannedModel &planned);

    std::vector<Result> measure(const TuningTask &task, const std::vector<Nest> &nests) override;
    std::vector<CodeFeatures> code(const TuningTask &task, const std::vector<Nest> &nests) override;
    double seconds() const override;
    double planned_ms(const TuningTask &task) const override;
    // Throws Error where the machine is too noisy: in most sittings, of several, the planned nest did not keep its speed.
    void require_quiet() const;

private:
    // The clock, where it does not run yet.
    void start();

    using Clock = std::chrono::steady_clock;

    const CompileOptions &options_;
    TrialOptions trial_;  // with the reference kernels' times so far
    std::map<const PlannedModel *, std::unique_ptr<LocalMeasurer>> measurers_;
    std::map<std::string, LocalMeasurer *> of_problem_;
    Clock::time_point begin_;
    bool has_begun_ = false;
};

}  // namespace emulsion
