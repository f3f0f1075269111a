// A tuning session: tasks, a strategy for each, an allocator that deals out trials among them, and a measurer.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "tuner/allocator.h"
#include "tuner/best_point.h"
#include "tuner/code_model.h"
#include "tuner/measurer.h"
#include "tuner/outcome.h"
#include "tuner/strategy.h"
#include "tuner/task.h"

namespace emulsion {

struct SessionOptions {
    std::string strategy = "local", allocator = "round_robin";
    std::string model{};  // empty: the strategy's own
    uint64_t seed = 1;
    std::shared_ptr<const Predictor> predictor{};  // of SearchContext
    int64_t trials = 0;    // of all tasks together, failures included; 0: no limit
    double seconds = 0.0;  // by the measurer's clock; 0: no limit. A batch that has begun is ended
    size_t batch = 16;     // candidates that are measured beside each other
    // So many times as many candidates are lowered as are measured: those whose code a model thinks fastest are (tuner/reranker.h). 1: only those that are measured, so that
    // their code is known; 0: none.
    size_t rerank = 0;
    std::string code_model = "statements";  // which model that is
    std::shared_ptr<const CodeModel>
        trained_code{};  // it was trained before, and learns nothing more; null: it learns in the session
    // Curves are of what was proposed alone, as if there were no planned nest: what allocators are compared by.
    bool from_scratch = false;
};

// Of one task.
struct TunedTask {
    BestPoint best;
    int64_t trials = 0;  // of this session
    std::map<Outcome, int64_t> outcomes;
    TuningCurve curve;
    std::optional<Belief> belief;  // of the strategy's model, around the best point, at the end
};

struct SessionReport {
    std::vector<TunedTask> tasks;  // as the session's
    int64_t trials = 0;
    double seconds = 0.0;
    // Features that the model's predictions come from at the end, the most important first (Model::importances).
    std::vector<std::pair<std::string, double>> importances;
};

struct MeasuredBatch {
    size_t task = 0;  // its index
    // Of the candidates, then, where there is one that is faster than the planned nest, of the fastest point so far, which
    // is measured with them once more and is no trial.
    const std::vector<Result> &results;
    size_t trials = 0;
    const std::vector<Proposal> &proposals;  // of the candidates
    const std::vector<CodeFeatures>
        &code;  // of the candidates; empty without SessionOptions::rerank
};

// What a session tells while it runs, and what it knows from earlier ones. Both may be empty.
struct SessionHooks {
    // Results of earlier sessions of a task; taken for its own, and not measured again.
    std::function<std::vector<Result>(const TuningTask &task)> earlier;
    // After every batch, with all so far.
    std::function<void(const MeasuredBatch &batch, const SessionReport &report)> measured;
};

// Runs until trials or time are used up, or no strategy has more points. Two sessions with the same tasks, options,
// earlier results and measurements propose the same. Throws Error for options without any limit or batch, unknown
// names, and what the measurer throws.
SessionReport run_session(const std::vector<TuningTask> &tasks, const SessionOptions &options,
                          Measurer &measurer, const SessionHooks &hooks = {});

}  // namespace emulsion
