#include <algorithm>
#include <cmath>

#include "tuner/ansor/evolution.h"
#include "tuner/learned_search.h"

namespace emulsion {

namespace {

// Ansor (L. Zheng et al., OSDI 2020): complete programs are drawn at random from sketches and refined by evolution under a
// learned model; what it thinks best is measured, with a few programs drawn at random, and the model fitted anew.
// Not the paper's: the first population has the planned nest and what the machine suggests.
class Ansor : public LearnedSearch {
public:
    Ansor(const TuningTask &task, const SearchContext &context)
        : LearnedSearch(task, context, {}), grid_size_(Grid(task).size()) {}

private:
    // As in Ansor's code, but for small spaces.
    static constexpr double kRandomShare = 0.05;  // of a batch
    static constexpr double kMeasuredShare =
        0.2;  // of the first population: the best that were measured
    static constexpr size_t kLeastRandom = 50;  // of the first population
    static constexpr size_t kBatches = 2;       // so many batches of the best are kept

    std::vector<EvolvedProgram> first_population(const EvolutionOptions &options) {
        std::vector<EvolvedProgram> population;
        for (const GridPoint &seed : seeds()) {
            population.push_back({seed, "suggested"});
        }
        const auto share =
            static_cast<size_t>(kMeasuredShare * static_cast<double>(options.population));
        size_t best = 0;
        for (auto each = measured().begin(); each != measured().end() && best < share; ++each) {
            population.push_back({each->second, "measured"});
            best++;
        }
        population.resize(std::min(population.size(), options.population / 2));
        const size_t random = std::max(kLeastRandom, options.population - population.size());
        for (size_t i = 0; i < random; i++) {
            population.push_back({programs().draw(engine()), "random"});
        }
        return population;
    }

    EvolutionOptions options() const {
        constexpr int64_t kPrograms = 4;  // of the space, for one of the population
        EvolutionOptions options;
        options.population = static_cast<size_t>(
            std::clamp(grid_size_ / kPrograms, 2 * static_cast<int64_t>(kLeastRandom),
                       static_cast<int64_t>(options.population)));
        return options;
    }

    void choose(size_t most) override {
        const Scores scores = [&](const std::vector<GridPoint> &all) {
            std::vector<double> values;
            for (const Prediction &prediction : scores_of(all)) {
                values.push_back(prediction.mean);
            }
            return values;
        };
        const std::vector<EvolvedProgram> best = evolve(
            programs(), first_population(options()), scores,
            [&](const GridPoint &point) { return !is_known(point); }, kBatches * most, options(),
            engine());
        const auto random =
            static_cast<size_t>(std::lround(kRandomShare * static_cast<double>(most)));
        for (const EvolvedProgram &program : best) {
            if (proposed() + random < most) {
                add(program.point, program.origin, program.score);
            }
        }
    }

    const int64_t grid_size_;
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
