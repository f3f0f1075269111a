// Measures candidates on this machine: compiles them all in worker processes, then runs them, one after the other, in a
// process of its own.
#pragma once

#include <chrono>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "backend/compiler.h"
#include "bench/tuning/candidate_trial.h"
#include "frontend/lower/network.h"
#include "tuner/measurer.h"

namespace emulsion {

class SharedUnits;

class LocalMeasurer : public Measurer {
public:
    // Of tasks of `network` (tasks_of), which is for a CPU.
    LocalMeasurer(const PlannedNetwork &network, const CompileOptions &options,
                  const TrialOptions &trial);
    ~LocalMeasurer() override;

    std::vector<Result> measure(const TuningTask &task, const std::vector<Nest> &nests) override;
    double seconds() const override;
    double planned_ms(const TuningTask &task) const override;

private:
    PlannedNetwork candidates_;  // the network, with launches of what is measured
    CompileOptions options_;
    TrialOptions trial_;
    std::unique_ptr<SharedUnits> shared_;
    std::map<std::string, PlannedLaunch> launches_;  // by problem
    std::map<std::string, double> planned_ms_;       // by problem
    std::chrono::steady_clock::time_point begin_;
    bool has_begun_ = false;
};

}  // namespace emulsion
