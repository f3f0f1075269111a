// Measures candidates on this machine: compiles them all in worker processes, then runs them, one after the other, in a
// process of its own; those of a CPU by themselves, those of a GPU in their network.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "backend/compiler.h"
#include "backend/planned_model.h"
#include "bench/tuning/candidate_trial.h"
#include "fusion/code_features.h"
#include "tuner/outcome.h"
#include "tuner/task.h"

namespace emulsion {

class SharedUnits;

class LocalMeasurer {
public:
    // Of tasks of its first network (tasks_of); the model outlives this.
    LocalMeasurer(const PlannedModel &planned, const CompileOptions &options,
                  const TrialOptions &trial);
    ~LocalMeasurer();

    // As Measurer has them.
    std::vector<Result> measure(const TuningTask &task, const std::vector<Nest> &nests);
    std::vector<CodeFeatures> code(const TuningTask &task, const std::vector<Nest> &nests);
    double planned_ms(const TuningTask &task) const;
    // So far, and those of them in which the planned nest did not keep its speed, however often they were repeated.
    int sittings() const { return sittings_; }
    int drifted() const { return drifted_; }
    // Whether the machine was disturbed for longer than it is waited for, in the last sitting.
    bool was_disturbed() const { return disturbed_ > 0; }
    // RaceOptions::reference, as found so far.
    const ReferenceTimes &reference() const { return trial_.race.reference; }
    void set_reference(const ReferenceTimes &times) { trial_.race.reference = times; }

private:
    // The network's launches are the planned one of the task, then those of these nests.
    void set_candidates(const TuningTask &task, const std::vector<Nest> &nests);
    // Counts what a sitting has found of the machine.
    void note(const Tried &found);
    Tried tried(const TuningTask &task, const std::vector<Nest> &compiled) const;

    const PlannedModel &model_;
    PlannedNetwork candidates_;  // the network, with launches of what is measured
    CompileOptions options_;
    TrialOptions trial_;  // with the reference kernels' times so far
    std::unique_ptr<SharedUnits> shared_;
    struct Planned {
        PlannedLaunch launch;
        PlannedGroup group;
    };
    std::map<std::string, Planned> planned_;    // by problem
    std::map<std::string, double> planned_ms_;  // by problem
    int sittings_ = 0, drifted_ = 0;
    int disturbed_ = 0;  // sittings in a row, the last ones
};

}  // namespace emulsion
