#include "tuner/learned_search.h"

#include "tuner/predictor.h"

namespace emulsion {

LearnedSearch::LearnedSearch(const TuningTask &task, const SearchContext &context,
                             const ModelUse &use)
    : task_(task), seed_(context.seed), predictor_(context.predictor), points_(task),
      programs_(points_), engine_(context.seed), learner_(context.learner),
      number_(learner_->add(task, use)), scores_(points_, *learner_, number_) {
    seeds_.push_back(*points_.point(task.planned));
    known_.insert(seeds_.front());
    for (const Nest &nest : task.suggested) {
        if (auto point = points_.point(nest)) {
            seeds_.push_back(std::move(*point));
        }
    }
}

std::vector<Proposal> LearnedSearch::propose(size_t most) {
    proposals_.clear();
    if (observed() > 0) {
        choose(most);
    } else if (begin(most)) {
        return std::move(proposals_);
    }
    fill_up(most);
    return std::move(proposals_);
}

bool LearnedSearch::begin(size_t most) {
    if (predictor_ && predictor_->knows(task_.scope)) {
        const std::vector<Nest> picked = predictor_->fastest(task_, seed_);
        // No more: what comes behind these is hardly ever faster, and what they took says more of where to look.
        for (size_t i = 0; i < picked.size() && proposed() < most - most / 2; i++) {
            add(*points_.point(picked[i]), "predicted");
        }
        return proposed() > 0;
    }
    for (size_t i = 0; i < seeds_.size() && proposed() < most - most / 2; i++) {
        add(seeds_[i], "suggested");
    }
    return false;
}

std::optional<Belief> LearnedSearch::belief(const Nest &around) {
    const auto point = points_.point(around);
    if (!point || observed() == 0) {
        return std::nullopt;
    }
    return belief_around(points_, *point,
                         [&](const std::vector<GridPoint> &all) { return scores_.of(all); });
}

void LearnedSearch::give_back(const std::vector<Nest> &nests) {
    for (const Nest &nest : nests) {
        known_.erase(*points_.point(nest));
    }
}

void LearnedSearch::observe(const std::vector<Result> &results) {
    learner_->observe(number_, results);
    for (const Result &result : results) {
        auto point = points_.point(result.nest);
        if (!point) {
            continue;
        }
        known_.insert(*point);
        if (result.outcome == Outcome::Ok) {
            measured_.emplace(result.ratio, std::move(*point));
        }
    }
}

void LearnedSearch::add(const GridPoint &point, const std::string &origin,
                        std::optional<double> predicted) {
    if (known_.insert(point).second) {
        proposals_.push_back({points_.nest(point), origin, predicted});
    }
}

// Where drawing programs finds no new ones, the grid may still have some.
void LearnedSearch::fill_up(size_t most) {
    constexpr int kTries = 64;
    for (int tries = 0; tries < kTries && proposed() < most; tries++) {
        add(programs_.draw(engine_), "random");
    }
    if (proposed() >= most) {
        return;
    }
    KnownPoints known;
    for (const GridPoint &point : known_) {
        known.add(points_.nest(point));
    }
    const Grid grid(points_.task());
    while (proposed() < most) {
        const auto nest = grid.random_point(engine_, known);
        if (!nest) {
            break;
        }
        add(*points_.point(*nest), "random");
    }
}

}  // namespace emulsion
