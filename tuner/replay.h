// A measurer that answers from a record, with a clock that is the sum of the recorded seconds.
#pragma once

#include <map>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "tuner/measurer.h"

namespace emulsion {

// What was recorded of one task: every point in two sittings, so that who chooses on the first can be judged on the
// second. What is mined from noise in one is not there in the other.
struct RecordedTask {
    TuningTask task;
    double planned_ms = 0.0;  // of the first sitting
    // By point_text. Points that did not run have one result, in both.
    std::map<std::string, std::pair<Result, Result>> points;
};

class Replay : public Measurer {
public:
    // `record` outlives this.
    explicit Replay(std::span<const RecordedTask> record);

    // From the first sitting. Points that were not recorded are refused, at no cost. Throws Error for a task that was
    // not recorded.
    std::vector<Result> measure(const TuningTask &task, const std::vector<Nest> &nests) override;
    double seconds() const override { return seconds_; }
    double planned_ms(const TuningTask &task) const override;

    // The ratio of a point in the second sitting; 1 of the planned nest. Throws Error where it was not recorded.
    double judged(const TuningTask &task, const Nest &nest) const;

private:
    const RecordedTask &recorded(const TuningTask &task) const;

    std::map<std::string, const RecordedTask *> tasks_;  // by problem and scope
    double seconds_ = 0.0;
};

}  // namespace emulsion
