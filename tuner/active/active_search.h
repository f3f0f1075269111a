// Batches chosen from a pool of unmeasured points by what a learned model says of them.
#pragma once

#include <set>
#include <string>
#include <vector>

#include "tuner/ansor/programs.h"
#include "tuner/point_scores.h"
#include "tuner/strategy.h"

namespace emulsion {

struct ActiveOptions {
    // Every other batch is of the points of which the model's prediction is expected to be most wrong, of the better half
    // (ALT). Otherwise all are of those that it thinks best.
    bool asks_for_uncertain = false;
    bool drops_invalid =
        false;  // points that are more likely to fail than not are left out (ALT's filter)
};

class ActiveSearch : public Strategy {
public:
    ActiveSearch(const TuningTask &task, const SearchContext &context,
                 const ActiveOptions &options);

    std::vector<Proposal> propose(size_t most) override;
    void observe(const std::vector<Result> &results) override;

private:
    struct Candidate {
        GridPoint point;
        Prediction prediction;
    };

    std::vector<GridPoint> pool();
    std::vector<Candidate> candidates();
    void add(const Candidate &candidate, const std::string &origin);

    const GridPoints points_;
    const Programs programs_;
    const ActiveOptions options_;
    std::mt19937_64 engine_;
    const std::shared_ptr<Learner> learner_;
    const size_t number_;  // of the task, of the learner's
    PointScores scores_;
    std::set<GridPoint> known_;                  // proposed or measured, and the planned one
    std::multimap<double, GridPoint> measured_;  // by ratio
    std::vector<Proposal> proposals_;
    int batch_ = 0;
};

}  // namespace emulsion
