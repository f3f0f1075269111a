#include "tuner/predictor.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <random>

#include <nlohmann/json.hpp>

#include "fusion/error.h"
#include "fusion/json_document.h"
#include "tuner/ansor/evolution.h"
#include "tuner/features.h"
#include "tuner/shipped_predictor.h"

namespace emulsion {

namespace {

constexpr const char *kModelOfPredictor = "trees";

}  // namespace

Predictor::Predictor(std::shared_ptr<const Model> model, double margin, Scope scope)
    : model_(std::move(model)), margin_(margin), scope_(std::move(scope)) {}

Nest Predictor::pick(const TuningTask &task, const std::vector<Nest> &candidates) const {
    const PointFeatures features(task);
    std::vector<std::vector<float>> points{features.of(task.planned)};
    for (const Nest &nest : candidates) {
        points.push_back(features.of(nest));
    }
    const std::vector<Prediction> predictions = model_->predict({features.names(), points});
    const auto best =
        std::max_element(predictions.begin() + 1, predictions.end(),
                         [](const Prediction &a, const Prediction &b) { return a.mean < b.mean; });
    if (best == predictions.end() || best->mean <= predictions.front().mean + margin_) {
        return task.planned;
    }
    return candidates[static_cast<size_t>(best - predictions.begin()) - 1];
}

std::vector<Nest> Predictor::fastest(const TuningTask &task, uint64_t seed) const {
    constexpr size_t kPopulation = 256, kMost = 64;
    const GridPoints points(task);
    const Programs programs(points);
    const PointFeatures features(task);
    std::mt19937_64 engine(seed);
    std::vector<EvolvedProgram> population{{*points.point(task.planned), "planned"}};
    for (const Nest &nest : task.suggested) {
        if (const auto point = points.point(nest); point && population.size() < kPopulation / 2) {
            population.push_back({*point, "suggested"});
        }
    }
    while (population.size() < kPopulation) {
        population.push_back({programs.draw(engine), "random"});
    }
    std::map<GridPoint, std::vector<float>> known;
    const Scores scores = [&](const std::vector<GridPoint> &all) {
        std::vector<std::vector<float>> rows;
        for (const GridPoint &point : all) {
            auto found = known.find(point);
            if (found == known.end()) {
                found = known.emplace(point, features.of(points.nest(point))).first;
            }
            rows.push_back(found->second);
        }
        std::vector<double> values;
        for (const Prediction &prediction : model_->predict({features.names(), rows})) {
            // Odds against the others of the pairs that ranking has learned from.
            values.push_back(std::exp(prediction.mean));
        }
        return values;
    };
    const GridPoint planned = *points.point(task.planned);
    std::vector<Nest> nests;
    const EvolutionOptions options{.population = kPopulation};
    for (const EvolvedProgram &program : evolve(
             programs, std::move(population), scores,
             [&](const GridPoint &point) { return point != planned; }, kMost, options, engine)) {
        nests.push_back(points.nest(program.point));
    }
    return nests;
}

Nest Predictor::search(const TuningTask &task, uint64_t seed) const {
    return pick(task, fastest(task, seed));
}

std::string Predictor::to_text() const {
    return json_document("emulsion-predictor", {{"kind", kModelOfPredictor},
                                                {"target", scope_.target},
                                                {"threads", scope_.threads},
                                                {"margin", margin_},
                                                {"model", model_->save()}});
}

Predictor Predictor::from_text(const std::string &text, const std::string &file) {
    const nlohmann::ordered_json json = read_json_document("emulsion-predictor", text, file);
    try {
        if (json.at("kind") != kModelOfPredictor) {
            throw Error(std::string("its model is not of the kind '") + kModelOfPredictor + "'");
        }
        auto model = find_model(kModelOfPredictor).make(1);
        model->load(json.at("model").get<std::string>());
        const double margin = json.at("margin").get<double>();
        if (!std::isfinite(margin)) {
            throw Error("its margin is no number");
        }
        return {std::move(model),
                margin,
                {json.at("target").get<std::string>(), json.at("threads").get<int>()}};
    } catch (const nlohmann::json::exception &error) {
        throw Error(std::string("it is no predictor: ") + error.what(), {.file = file});
    } catch (const Error &error) {
        throw Error(error.message(), {.file = file});
    }
}

// None is kept: XGBoost's own state of this thread ends before static objects do.
std::shared_ptr<const Predictor> Predictor::shipped() {
    return std::make_shared<const Predictor>(
        from_text(std::string(shipped_predictor()), "the predictor of Emulsion"));
}

}  // namespace emulsion
