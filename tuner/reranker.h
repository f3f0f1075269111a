// Of more candidates than are measured, those whose lowered code a model thinks fastest: the second tier of features, for the best few of the
// first.
#pragma once

#include <cstddef>
#include <utility>
#include <vector>

#include "tuner/code_learner.h"
#include "tuner/measurer.h"
#include "tuner/strategy.h"

namespace emulsion {

class Reranker {
public:
    // `factor`: so many times as many candidates are looked at as are measured; with 1 all are measured, and their code is known.
    // `measurer` outlives this.
    Reranker(Measurer &measurer, size_t factor, CodeLearner learner)
        : measurer_(measurer), factor_(factor), learner_(std::move(learner)) {}

    struct Choice {
        std::vector<Proposal> proposals;  // to measure, the most promising first
        std::vector<CodeFeatures> code;   // of these
        std::vector<Nest> left;           // the rest
    };

    // So many are to be proposed, of which `most` are measured.
    size_t looked_at(size_t most) const {
        return learner_.knows_anything() ? factor_ * most : most;
    }
    // Those that were drawn at random keep their share: what a model knows nothing of is not to be left to it.
    Choice choose(const TuningTask &task, std::vector<Proposal> proposals, size_t most);
    // What was measured of a task, by its number.
    void observe(size_t task, const std::vector<Result> &results,
                 const std::vector<CodeFeatures> &code) {
        learner_.observe(task, results, code);
    }

private:
    Measurer &measurer_;
    const size_t factor_;
    CodeLearner learner_;
};

}  // namespace emulsion
