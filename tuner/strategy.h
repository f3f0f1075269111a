// A way to search the loop nests of a task: proposes points, and is told what became of them. One file of
// tuner/strategies/, which defines
//
//     const StrategyKind &tuning_strategy_<filename>();
//
// found when CMake configures.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "tuner/belief.h"
#include "tuner/learner.h"
#include "tuner/outcome.h"
#include "tuner/task.h"

namespace emulsion {

class Predictor;

// A point to measure, and why.
struct Proposal {
    Nest nest;
    std::string origin;                 // "suggested", "random", a mutation's name, ...
    std::optional<double> predicted{};  // score that a model expects (Prediction::mean)
};

std::vector<Nest> nests_of(const std::vector<Proposal> &proposals);

// What strategies of one session have in common.
struct SearchContext {
    uint64_t seed = 1;
    std::shared_ptr<Learner> learner;  // of all tasks that are searched; never null
    std::shared_ptr<const Predictor>
        predictor{};  // trained before, of which strategies may ask what to begin with; null: none
    int64_t trials = 0;  // that the task is expected to have; 0: nobody knows
};

// Searches one task. What it proposes depends on the task, the seed and what was observed in its session, and on nothing
// else.
class Strategy {
public:
    Strategy() = default;
    Strategy(const Strategy &) = delete;
    Strategy &operator=(const Strategy &) = delete;
    virtual ~Strategy() = default;

    // Valid points that it has neither proposed nor observed before: fewer than `most` where it wants to observe these
    // first, none where it has no more. The planned nest is never among them: sessions measure that anyway.
    virtual std::vector<Proposal> propose(size_t most) = 0;
    // Points of the last proposal that were not measured: it may propose them again.
    virtual void give_back(const std::vector<Nest> &) {}
    // What its model believes of points around one; nothing where it has none.
    virtual std::optional<Belief> belief(const Nest &) { return std::nullopt; }
    // Of points that were proposed, or, before the first proposal, that earlier sessions have measured.
    virtual void observe(const std::vector<Result> &results) = 0;
};

struct StrategyKind {
    std::string name;
    std::string description;  // one line
    // Of a task that outlives the strategy.
    std::function<std::unique_ptr<Strategy>(const TuningTask &task, const SearchContext &context)>
        make;
    std::string model = "trees";  // of the session's learner, unless another one is wanted
};

// All of them, by file name (generated).
std::span<const StrategyKind *const> all_strategies();
// Throws Error, listing the known ones, for an unknown name.
const StrategyKind &find_strategy(const std::string &name);

}  // namespace emulsion
