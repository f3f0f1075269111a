// Batches chosen from a pool of unmeasured points by what a learned model says of them.
#pragma once

#include <vector>

#include "tuner/learned_search.h"

namespace emulsion {

struct ActiveOptions {
    // Every other batch is of the points of which the model's prediction is expected to be most wrong, of the better ones
    // (ALT). Otherwise all are of those that it thinks best.
    bool asks_for_uncertain = false;
    bool drops_invalid =
        false;  // points that are more likely to fail than not are left out (ALT's filter)
};

class ActiveSearch : public LearnedSearch {
public:
    ActiveSearch(const TuningTask &task, const SearchContext &context, const ActiveOptions &options)
        : LearnedSearch(
              task, context,
              {.deviation = options.asks_for_uncertain, .validity = options.drops_invalid}),
          options_(options) {}

private:
    struct Candidate {
        GridPoint point;
        Prediction prediction;
    };

    void choose(size_t most) override;
    std::vector<GridPoint> pool();
    std::vector<Candidate> candidates();

    const ActiveOptions options_;
    int batch_ = 0;
};

}  // namespace emulsion
