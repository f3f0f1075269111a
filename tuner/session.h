// A tuning session: tasks, a strategy for each, an allocator that deals out trials among them, and a measurer.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <vector>

#include "tuner/allocator.h"
#include "tuner/measurer.h"
#include "tuner/outcome.h"
#include "tuner/task.h"

namespace emulsion {

struct SessionOptions {
    std::string strategy = "local", allocator = "round_robin";
    uint64_t seed = 1;
    int64_t trials = 0;    // of all tasks together, failures included; 0: no limit
    double seconds = 0.0;  // by the measurer's clock; 0: no limit. A batch that has begun is ended
    size_t batch = 16;     // candidates that are measured beside each other
};

// Of one task.
struct TunedTask {
    Nest best;           // the fastest, or the planned nest where none is faster
    double ratio = 1.0;  // its time over that of the planned one
    int64_t trials = 0;  // of this session
    std::map<Outcome, int64_t> outcomes;
    TuningCurve curve;
};

struct SessionReport {
    std::vector<TunedTask> tasks;  // as the session's
    int64_t trials = 0;
    double seconds = 0.0;
    // Of all launches of all tasks: with the best nests over the planned ones; 1 where nothing was measured.
    double ratio() const;
};

// What a session tells while it runs, and what it knows from earlier ones. Both may be empty.
struct SessionHooks {
    // Results of earlier sessions of a task; taken for its own, and not measured again.
    std::function<std::vector<Result>(const TuningTask &task)> earlier;
    // After every batch: the task's index, what became of the batch, and all so far.
    std::function<void(size_t task, const std::vector<Result> &batch, const SessionReport &report)>
        measured;
};

// Runs until trials or time are used up, or no strategy has more points. Two sessions with the same tasks, options,
// earlier results and measurements propose the same. Throws Error for options without any limit or batch, unknown
// names, and what the measurer throws.
SessionReport run_session(const std::vector<TuningTask> &tasks, const SessionOptions &options,
                          Measurer &measurer, const SessionHooks &hooks = {});

}  // namespace emulsion
