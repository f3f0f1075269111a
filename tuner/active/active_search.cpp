#include "tuner/active/active_search.h"

#include <algorithm>
#include <utility>

namespace emulsion {

namespace {

// Points of a pool: neighbours of so many of the best, the rest drawn at random.
constexpr size_t kPool = 1024, kAround = 16, kNeighbours = 16;
constexpr double kLeastValid = 0.5;

}  // namespace

ActiveSearch::ActiveSearch(const TuningTask &task, const SearchContext &context,
                           const ActiveOptions &options)
    : points_(task), programs_(points_), options_(options), engine_(context.seed),
      learner_(context.learner),
      number_(learner_->add(
          task, {.deviation = options.asks_for_uncertain, .validity = options.drops_invalid})),
      scores_(points_, *learner_, number_) {
    known_.insert(*points_.point(task.planned));
}

void ActiveSearch::observe(const std::vector<Result> &results) {
    learner_->observe(number_, results);
    for (const Result &result : results) {
        const auto point = points_.point(result.nest);
        if (!point) {
            continue;
        }
        known_.insert(*point);
        if (result.outcome == Outcome::Ok) {
            measured_.emplace(result.ratio, *point);
        }
    }
}

// New ones, in the order in which they were found.
std::vector<GridPoint> ActiveSearch::pool() {
    std::vector<GridPoint> pool;
    std::set<GridPoint> seen = known_;
    const auto take = [&](GridPoint point) {
        if (seen.insert(point).second) {
            pool.push_back(std::move(point));
        }
    };
    size_t around = 0;
    for (auto best = measured_.begin(); best != measured_.end() && around < kAround;
         ++best, around++) {
        for (size_t i = 0; i < kNeighbours; i++) {
            if (auto mutated = programs_.mutate(best->second, engine_)) {
                take(std::move(mutated->point));
            }
        }
    }
    for (size_t tries = 0; tries < kPool && pool.size() < kPool; tries++) {
        take(programs_.draw(engine_));
    }
    return pool;
}

// The best first.
std::vector<ActiveSearch::Candidate> ActiveSearch::candidates() {
    std::vector<GridPoint> points = pool();
    const std::vector<Prediction> predictions = scores_.of(points);
    std::vector<Candidate> candidates;
    for (size_t i = 0; i < points.size(); i++) {
        candidates.push_back(
            {std::move(points[i]), predictions.empty() ? Prediction() : predictions[i]});
    }
    std::stable_sort(candidates.begin(), candidates.end(),
                     [](const Candidate &a, const Candidate &b) {
                         return a.prediction.mean > b.prediction.mean;
                     });
    // What is left out still comes last: where all else was tried, a filter may have been wrong.
    if (options_.drops_invalid) {
        std::stable_partition(candidates.begin(), candidates.end(), [](const Candidate &candidate) {
            return candidate.prediction.p_valid >= kLeastValid;
        });
    }
    return candidates;
}

void ActiveSearch::add(const Candidate &candidate, const std::string &origin) {
    if (known_.insert(candidate.point).second) {
        proposals_.push_back({points_.nest(candidate.point), origin, candidate.prediction.mean});
    }
}

std::vector<Proposal> ActiveSearch::propose(size_t most) {
    proposals_.clear();
    const bool has_model = learner_->samples(number_) > 0;
    std::vector<Candidate> best = candidates();
    if (!has_model) {
        std::shuffle(best.begin(), best.end(), engine_);
    } else if (options_.asks_for_uncertain && batch_ % 2 == 0) {
        const auto half = best.begin() + std::ssize(best) / 2;
        std::stable_sort(best.begin(), half, [](const Candidate &a, const Candidate &b) {
            return a.prediction.deviation > b.prediction.deviation;
        });
    }
    const std::string origin = !has_model                                       ? "random"
                               : options_.asks_for_uncertain && batch_ % 2 == 0 ? "uncertain"
                                                                                : "best";
    batch_++;
    for (const Candidate &candidate : best) {
        if (proposals_.size() < most) {
            add(candidate, origin);
        }
    }
    if (proposals_.empty()) {
        KnownPoints known;
        for (const GridPoint &point : known_) {
            known.add(points_.nest(point));
        }
        while (proposals_.size() < most) {
            const auto nest = Grid(points_.task()).random_point(engine_, known);
            if (!nest) {
                break;
            }
            known_.insert(*points_.point(*nest));
            proposals_.push_back({*nest, "random"});
        }
    }
    return std::move(proposals_);
}

}  // namespace emulsion
