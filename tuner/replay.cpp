#include "tuner/replay.h"

#include "fusion/error.h"
#include "tuner/points.h"

namespace emulsion {

namespace {

std::string key_of(const TuningTask &task) {
    return task.problem + " " + std::to_string(task.scope.threads) + " " + task.scope.target + " " +
           task.scope.machine;
}

}  // namespace

Replay::Replay(std::span<const RecordedTask> record) {
    for (const RecordedTask &task : record) {
        tasks_.emplace(key_of(task.task), &task);
    }
}

const RecordedTask &Replay::recorded(const TuningTask &task) const {
    const auto found = tasks_.find(key_of(task));
    if (found == tasks_.end()) {
        throw Error("the record has nothing of task '" + task.label + "' (" + task.problem + ")");
    }
    return *found->second;
}

std::vector<Result> Replay::measure(const TuningTask &task, const std::vector<Nest> &nests) {
    const RecordedTask &record = recorded(task);
    std::vector<Result> results;
    for (const Nest &nest : nests) {
        const auto found = record.points.find(point_text(nest));
        if (found == record.points.end()) {
            results.push_back({nest, Outcome::Refused, 0.0, 0.0, 0.0, "it was not recorded"});
            continue;
        }
        results.push_back(found->second.first);
        seconds_ += found->second.first.seconds;
    }
    return results;
}

double Replay::planned_ms(const TuningTask &task) const { return recorded(task).planned_ms; }

double Replay::judged(const TuningTask &task, const Nest &nest) const {
    if (nest == task.planned) {
        return 1.0;
    }
    const RecordedTask &record = recorded(task);
    const auto found = record.points.find(point_text(nest));
    if (found == record.points.end() || found->second.second.outcome != Outcome::Ok) {
        throw Error("the record has no second time of " + point_text(nest) + " of task '" +
                    task.label + "'");
    }
    return found->second.second.ratio;
}

}  // namespace emulsion
