// How fast the code of points is by its statements: boosted trees, of which a program's score is the sum over its statements (Ansor, L. Zheng
// et al., OSDI 2020, section 5.2).
#pragma once

#include <cstddef>
#include <vector>

#include "tuner/boosted_trees.h"
#include "tuner/outcome.h"
#include "tuner/statement_rows.h"

namespace emulsion {

class StatementModel {
public:
    // What was measured of points of a task, by its number, and their code: points without any say nothing.
    void observe(size_t task, const std::vector<Result> &results,
                 const std::vector<StatementRows> &programs);
    // Of points of any task, by their code: throughput over that of the fastest known point of the task, as it is expected; 0 of a point without any.
    // Nothing before there is enough to learn from.
    std::vector<double> scores(const std::vector<StatementRows> &programs);

private:
    struct Sample {
        size_t task = 0;
        double ratio = 0.0;  // 0: it failed
        StatementRows rows;
    };

    void refit();

    std::vector<Sample> samples_;
    std::vector<double> best_ratio_;  // by task
    size_t fitted_samples_ = 0;
    BoostedTrees trees_;
};

}  // namespace emulsion
