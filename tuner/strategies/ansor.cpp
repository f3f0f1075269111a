#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include "tuner/ansor/evolution.h"
#include "tuner/ansor/programs.h"
#include "tuner/point_scores.h"
#include "tuner/strategy.h"

namespace emulsion {

namespace {

// Ansor (L. Zheng et al., OSDI 2020): complete programs are drawn at random from sketches and refined by evolution under a
// learned model; what it thinks best is measured, with a few programs drawn at random, and the model fitted anew.
// Not the paper's: the first population has the planned nest and what the machine suggests, and half of the first
// batch is of these.
class Ansor : public Strategy {
public:
    Ansor(const TuningTask &task, const SearchContext &context)
        : points_(task), programs_(points_), engine_(context.seed), learner_(context.learner),
          number_(learner_->add(task, {})), scores_(points_, *learner_, number_) {
        known_.insert(*points_.point(task.planned));
        seeds_.push_back({*points_.point(task.planned), "planned"});
        for (const Nest &nest : task.suggested) {
            if (const auto point = points_.point(nest)) {
                seeds_.push_back({*point, "suggested"});
            }
        }
    }

    std::vector<Proposal> propose(size_t most) override {
        proposals_.clear();
        if (learner_->samples(number_) == 0) {
            for (const EvolvedProgram &seed : seeds_) {
                if (proposals_.size() < most - most / 2) {
                    add(seed, false);
                }
            }
        } else {
            add_evolved(most);
        }
        fill_up(most);
        return std::move(proposals_);
    }

    void observe(const std::vector<Result> &results) override {
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

private:
    // As in Ansor's code, but for the population, which there is that large whatever there is to search.
    static constexpr double kRandomShare = 0.05;  // of a batch
    static constexpr double kMeasuredShare =
        0.2;  // of the first population: the best that were measured
    static constexpr size_t kLeastRandom = 50;  // of the first population
    static constexpr size_t kBatches = 2;       // so many batches of the best are kept

    void add(const EvolvedProgram &program, bool has_score) {
        if (known_.insert(program.point).second) {
            proposals_.push_back({points_.nest(program.point), program.origin,
                                  has_score ? std::optional(program.score) : std::nullopt});
        }
    }

    std::vector<EvolvedProgram> first_population(const EvolutionOptions &options) {
        std::vector<EvolvedProgram> population = seeds_;
        const auto share =
            static_cast<size_t>(kMeasuredShare * static_cast<double>(options.population));
        for (auto best = measured_.begin(); best != measured_.end() && population.size() < share;
             ++best) {
            population.push_back({best->second, "measured"});
        }
        population.resize(std::min(population.size(), options.population / 2));
        const size_t random = std::max(kLeastRandom, options.population - population.size());
        for (size_t i = 0; i < random; i++) {
            population.push_back({programs_.draw(engine_), "random"});
        }
        return population;
    }

    void add_evolved(size_t most) {
        EvolutionOptions options;
        constexpr int64_t kPrograms = 4;  // of the space, for one of the population
        options.population = static_cast<size_t>(std::clamp<int64_t>(
            Grid(points_.task()).size() / kPrograms, 2 * static_cast<int64_t>(kLeastRandom),
            static_cast<int64_t>(options.population)));
        const Scores scores = [&](const std::vector<GridPoint> &points) {
            std::vector<double> values;
            for (const Prediction &prediction : scores_.of(points)) {
                values.push_back(prediction.mean);
            }
            return values;
        };
        const std::vector<EvolvedProgram> best = evolve(
            programs_, first_population(options), scores,
            [&](const GridPoint &point) { return known_.count(point) == 0; }, kBatches * most,
            options, engine_);
        const auto random =
            static_cast<size_t>(std::lround(kRandomShare * static_cast<double>(most)));
        for (const EvolvedProgram &program : best) {
            if (proposals_.size() + random < most) {
                add(program, true);
            }
        }
    }

    // With programs drawn at random; where there are no new ones, with points of the grid.
    void fill_up(size_t most) {
        constexpr int kTries = 64;
        for (int tries = 0; tries < kTries && proposals_.size() < most; tries++) {
            add({programs_.draw(engine_), "random"}, false);
        }
        KnownPoints known;
        for (const GridPoint &point : known_) {
            known.add(points_.nest(point));
        }
        while (proposals_.size() < most) {
            const auto nest = Grid(points_.task()).random_point(engine_, known);
            if (!nest) {
                break;
            }
            add({*points_.point(*nest), "random"}, false);
        }
    }

    const GridPoints points_;
    const Programs programs_;
    std::mt19937_64 engine_;
    const std::shared_ptr<Learner> learner_;
    const size_t number_;  // of the task, of the learner's
    PointScores scores_;
    std::set<GridPoint> known_;  // proposed or measured, and the planned one
    std::vector<EvolvedProgram> seeds_;
    std::multimap<double, GridPoint> measured_;  // by ratio
    std::vector<Proposal> proposals_;
};

}  // namespace

const StrategyKind &tuning_strategy_ansor() {
    static const StrategyKind kind = {"ansor",
                                      "evolution of complete programs under a learned model",
                                      [](const TuningTask &task, const SearchContext &context) {
                                          return std::make_unique<Ansor>(task, context);
                                      }};
    return kind;
}

}  // namespace emulsion
