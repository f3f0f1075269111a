#include "tuner/ansor/programs.h"

#include <algorithm>
#include <cassert>

namespace emulsion {

namespace {

constexpr int kTries = 8;

double share(std::mt19937_64 &engine) { return std::generate_canonical<double, 30>(engine); }

}  // namespace

const std::vector<Mutation> &mutations() {
    static const std::vector<Mutation> all{
        {"tile size", ParameterRole::Tile, 0.90},
        {"unrolling", ParameterRole::Unroll, 0.04},
        {"location", ParameterRole::Location, 0.05},
        {"parallel granularity", ParameterRole::Parallel, 0.01},
    };
    return all;
}

Programs::Programs(const GridPoints &points) : points_(points), sketches_(points) {
    const std::vector<NestParameter> &parameters = points.task().space.parameters;
    const auto planned = points.point(points.task().planned);
    assert(planned);
    planned_ = *planned;
    for (const Mutation &mutation : mutations()) {
        of_mutation_.emplace_back();
        for (size_t p = 0; p < parameters.size(); p++) {
            if (role_of(parameters[p]) == mutation.role && points.values(p) > 1) {
                of_mutation_.back().push_back(p);
            }
        }
        weight_ += of_mutation_.back().empty() ? 0.0 : mutation.weight;
    }
    // Structure first, then tiles, tasks and what is unrolled.
    for (const ParameterRole role :
         {ParameterRole::Structure, ParameterRole::Location, ParameterRole::Tile,
          ParameterRole::Parallel, ParameterRole::Unroll}) {
        for (size_t p = 0; p < parameters.size(); p++) {
            if (role_of(parameters[p]) == role && points.values(p) > 1) {
                order_.push_back(p);
            }
        }
    }
}

bool Programs::set_if_valid(GridPoint &point, size_t parameter, size_t at) const {
    const uint16_t before = point[parameter];
    point[parameter] = static_cast<uint16_t>(at);
    if (points_.is_valid(point)) {
        return true;
    }
    point[parameter] = before;
    return false;
}

GridPoint Programs::draw(std::mt19937_64 &engine) const {
    constexpr int kRounds = 2;  // what was decided first may follow what was decided then
    const Sketch sketch = sketches_.draw(engine);
    GridPoint point = planned_;
    for (int round = 0; round < kRounds; round++) {
        for (const size_t p : order_) {
            if (sketch[p] != kOpen) {
                set_if_valid(point, p, static_cast<size_t>(sketch[p]));
                continue;
            }
            for (int tries = 0; tries < kTries; tries++) {
                if (set_if_valid(point, p, engine() % points_.values(p))) {
                    break;
                }
            }
        }
    }
    return point;
}

const Mutation &Programs::choose_mutation(std::mt19937_64 &engine) const {
    double rest = share(engine) * weight_;
    const Mutation *last = nullptr;
    for (size_t m = 0; m < mutations().size(); m++) {
        if (!of_mutation_[m].empty()) {
            last = &mutations()[m];
            rest -= last->weight;
            if (rest < 0.0) {
                break;
            }
        }
    }
    return *last;
}

bool Programs::change(GridPoint &point, size_t parameter, std::mt19937_64 &engine) const {
    const size_t other = engine() % (points_.values(parameter) - 1);
    return set_if_valid(point, parameter, other + (other >= point[parameter] ? 1 : 0));
}

bool Programs::exchange(GridPoint &point, size_t parameter, std::mt19937_64 &engine) const {
    const std::vector<NestParameter> &parameters = points_.task().space.parameters;
    std::vector<size_t> others;
    for (const size_t p : of_mutation_.front()) {
        if (p != parameter && stage_of(parameters[p]) == stage_of(parameters[parameter]) &&
            point[p] > 0) {
            others.push_back(p);
        }
    }
    if (others.empty() || point[parameter] + size_t{1} >= points_.values(parameter)) {
        return false;
    }
    const size_t other = others[engine() % others.size()];
    point[parameter]++;
    point[other]--;
    if (points_.is_valid(point)) {
        return true;
    }
    point[parameter]--;
    point[other]++;
    return false;
}

std::optional<MutatedProgram> Programs::mutate(const GridPoint &point,
                                               std::mt19937_64 &engine) const {
    if (weight_ <= 0.0) {
        return std::nullopt;
    }
    for (int tries = 0; tries < kTries; tries++) {
        const Mutation &mutation = choose_mutation(engine);
        const std::vector<size_t> &parameters =
            of_mutation_[static_cast<size_t>(&mutation - mutations().data())];
        const size_t parameter = parameters[engine() % parameters.size()];
        MutatedProgram mutated{point, &mutation};
        const bool exchanges = mutation.role == ParameterRole::Tile && engine() % 2 == 0;
        if (exchanges ? exchange(mutated.point, parameter, engine)
                      : change(mutated.point, parameter, engine)) {
            return mutated;
        }
    }
    return std::nullopt;
}

}  // namespace emulsion
