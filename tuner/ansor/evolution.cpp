#include "tuner/ansor/evolution.h"

#include <algorithm>
#include <map>
#include <utility>

namespace emulsion {

namespace {

// The best so far.
class Best {
public:
    explicit Best(size_t most) : most_(most) {}

    void add(const EvolvedProgram &program, std::mt19937_64 &engine) {
        if (!known_.emplace(program.point, program).second || known_.size() <= most_) {
            return;
        }
        // Rarely: all but the best are forgotten where there are too many.
        if (known_.size() > kSlack * most_) {
            std::vector<EvolvedProgram> kept = take(engine);
            known_.clear();
            for (EvolvedProgram &best : kept) {
                GridPoint point = best.point;
                known_.emplace(std::move(point), std::move(best));
            }
        }
    }

    // The best first; a model of few samples says the same of many, and none of these goes before another.
    std::vector<EvolvedProgram> take(std::mt19937_64 &engine) const {
        std::vector<EvolvedProgram> all;
        for (const auto &[point, program] : known_) {
            all.push_back(program);
        }
        std::shuffle(all.begin(), all.end(), engine);
        std::stable_sort(
            all.begin(), all.end(),
            [](const EvolvedProgram &a, const EvolvedProgram &b) { return a.score > b.score; });
        all.resize(std::min(all.size(), most_));
        return all;
    }

private:
    static constexpr size_t kSlack = 16;
    const size_t most_;
    std::map<GridPoint, EvolvedProgram> known_;
};

// Draws programs, each as likely as its score is high.
class Wheel {
public:
    explicit Wheel(const std::vector<EvolvedProgram> &population) {
        constexpr double kLeast = 1e-3;
        double sum = 0.0;
        for (const EvolvedProgram &program : population) {
            sum += std::max(program.score, kLeast);
            sums_.push_back(sum);
        }
    }

    size_t draw(std::mt19937_64 &engine) const {
        const double at = std::generate_canonical<double, 30>(engine) * sums_.back();
        const auto found = std::upper_bound(sums_.begin(), sums_.end(), at);
        return std::min(static_cast<size_t>(found - sums_.begin()), sums_.size() - 1);
    }

private:
    std::vector<double> sums_;
};

void score(std::vector<EvolvedProgram> &population, const Scores &scores) {
    std::vector<GridPoint> points;
    for (const EvolvedProgram &program : population) {
        points.push_back(program.point);
    }
    const std::vector<double> values = scores(points);
    for (size_t i = 0; i < population.size(); i++) {
        population[i].score = values[i];
    }
}

}  // namespace

std::vector<EvolvedProgram> evolve(const Programs &programs, std::vector<EvolvedProgram> population,
                                   const Scores &scores,
                                   const std::function<bool(const GridPoint &)> &is_wanted,
                                   size_t most, const EvolutionOptions &options,
                                   std::mt19937_64 &engine) {
    Best best(most);
    for (int generation = 0; !population.empty(); generation++) {
        score(population, scores);
        for (const EvolvedProgram &program : population) {
            if (is_wanted(program.point)) {
                best.add(program, engine);
            }
        }
        if (generation == options.generations) {
            break;
        }
        const Wheel wheel(population);
        std::vector<EvolvedProgram> next;
        while (next.size() < options.population) {
            const EvolvedProgram &parent = population[wheel.draw(engine)];
            if (std::generate_canonical<double, 30>(engine) >= options.mutation) {
                next.push_back(parent);
            } else if (auto mutated = programs.mutate(parent.point, engine)) {
                next.push_back({std::move(mutated->point), mutated->mutation->name});
            } else {
                next.push_back(parent);
            }
        }
        population = std::move(next);
    }
    return best.take(engine);
}

}  // namespace emulsion
