#include <algorithm>
#include <cmath>

#include <nlohmann/json.hpp>

#include "fusion/error.h"
#include "tuner/features.h"
#include "tuner/losses.h"
#include "tuner/model.h"

namespace emulsion {

namespace {

using Json = nlohmann::json;

constexpr const char *kTreesSchema = "emulsion-trees";

// Three ensembles of boosted trees: of the score (Ansor, section 5.2), of how far the score is from that (ALT's uncertainty
// predictor), and of whether points fail (ALT's filter).
class Trees : public Model {
public:
    void fit(const std::vector<TaskSamples> &samples, const ModelUse &use) override {
        columns_ = FeatureColumns();
        for (const TaskSamples &task : samples) {
            columns_.add(*task.names);
        }
        fit_scores(samples, use);
        deviation_ = BoostedTrees();
        validity_ = BoostedTrees();
        if (use.deviation) {
            fit_deviation(samples);
        }
        if (use.validity) {
            fit_validity(samples);
        }
    }

    bool is_fitted() const override { return score_.is_fitted(); }

    // Of the names alone, whatever the task.
    std::vector<Prediction> predict(const TaskPoints &points) const override {
        const std::vector<size_t> columns = columns_.columns_of(points.names);
        FeatureMatrix rows;
        for (const std::vector<float> &point : points.features) {
            columns_.append(rows, point, columns);
        }
        std::vector<Prediction> predictions(points.features.size());
        const auto set = [&](const BoostedTrees &trees, const auto &take) {
            if (trees.is_fitted() && !predictions.empty()) {
                const std::vector<float> values = trees.predict(rows);
                for (size_t i = 0; i < predictions.size(); i++) {
                    take(predictions[i], values[i]);
                }
            }
        };
        set(score_, [](Prediction &p, double value) { p.mean = value; });
        set(deviation_, [](Prediction &p, double value) { p.deviation = std::max(value, 0.0); });
        set(validity_, [](Prediction &p, double value) { p.p_valid = probability(value); });
        return predictions;
    }

    std::vector<std::pair<std::string, double>> importances() const override {
        std::vector<std::pair<std::string, double>> named;
        for (const auto &[column, share] : score_.importances()) {
            named.emplace_back(columns_.names()[column], share);
        }
        return named;
    }

    std::string save() const override {
        Json json = {{"schema", kTreesSchema},
                     {"version", 1},
                     {"features", kPointFeaturesVersion},
                     {"columns", columns_.names()},
                     {"score", Json::parse(score_.save())}};
        if (deviation_.is_fitted()) {
            json["deviation"] = Json::parse(deviation_.save());
        }
        if (validity_.is_fitted()) {
            json["validity"] = Json::parse(validity_.save());
        }
        return json.dump();
    }

    void load(const std::string &text) override {
        try {
            const Json json = Json::parse(text);
            if (json.at("schema") != kTreesSchema || json.at("version") != 1) {
                throw Error("it is no model of trees of version 1");
            }
            if (json.at("features") != kPointFeaturesVersion) {
                throw Error("it is of features of version " + json["features"].dump() +
                            ", and this program has version " +
                            std::to_string(kPointFeaturesVersion) + "; train it anew");
            }
            columns_ = FeatureColumns(json.at("columns").get<std::vector<std::string>>());
            score_.load(json.at("score").dump());
            deviation_ = BoostedTrees();
            validity_ = BoostedTrees();
            if (json.contains("deviation")) {
                deviation_.load(json["deviation"].dump());
            }
            if (json.contains("validity")) {
                validity_.load(json["validity"].dump());
            }
        } catch (const Json::exception &error) {
            throw Error(std::string("it is no model of trees: ") + error.what());
        }
    }

private:
    // The features of all samples for which `label` says something, and that.
    template<typename Label>
    std::pair<FeatureMatrix, std::vector<float>> rows_of(const std::vector<TaskSamples> &samples,
                                                         const Label &label) const {
        FeatureMatrix rows;
        std::vector<float> labels;
        for (const TaskSamples &task : samples) {
            const std::vector<size_t> columns = columns_.columns_of(*task.names);
            for (size_t i = 0; i < task.features.size(); i++) {
                const float value = label(task, i);
                if (!std::isnan(value)) {
                    columns_.append(rows, task.features[i], columns);
                    labels.push_back(value);
                }
            }
        }
        return {std::move(rows), std::move(labels)};
    }

    static std::vector<size_t> own_programs(size_t count) {
        std::vector<size_t> programs(count);
        for (size_t i = 0; i < count; i++) {
            programs[i] = i;
        }
        return programs;
    }

    // By sample: its task.
    static std::vector<size_t> tasks_of(const std::vector<TaskSamples> &samples) {
        std::vector<size_t> tasks;
        for (size_t i = 0; i < samples.size(); i++) {
            tasks.resize(tasks.size() + samples[i].features.size(), i);
        }
        return tasks;
    }

    void fit_scores(const std::vector<TaskSamples> &samples, const ModelUse &use) {
        const auto [rows, labels] =
            rows_of(samples, [](const TaskSamples &task, size_t i) { return task.scores[i]; });
        if (labels.empty()) {
            score_ = BoostedTrees();
            return;
        }
        if (use.order) {
            score_.fit(rows, own_programs(labels.size()), ranking_error(labels, tasks_of(samples)),
                       kGeneral);
            return;
        }
        score_.fit(rows, own_programs(labels.size()), throughput_error(labels));
    }

    void fit_deviation(const std::vector<TaskSamples> &samples) {
        constexpr size_t kFewest = 8;
        const auto [rows, labels] =
            rows_of(samples, [](const TaskSamples &task, size_t i) { return task.surprises[i]; });
        if (labels.size() >= kFewest) {
            const std::vector<float> weights(labels.size(), 1.0F);
            deviation_.fit(rows, own_programs(labels.size()), squared_error(labels, weights),
                           kCautious);
        }
    }

    void fit_validity(const std::vector<TaskSamples> &samples) {
        const auto [rows, labels] = rows_of(samples, [](const TaskSamples &task, size_t i) {
            return task.are_valid[i] ? 1.0F : 0.0F;
        });
        if (std::count(labels.begin(), labels.end(), 0.0F) > 0 &&
            std::count(labels.begin(), labels.end(), 1.0F) > 0) {
            validity_.fit(rows, own_programs(labels.size()), logistic_error(labels), kCautious);
        }
    }

    // What is noisy itself is not to be fitted exactly.
    static constexpr TreeOptions kCautious{.rounds = 60, .depth = 5, .least_weight = 1.0};

    // Of many tasks, for tasks that are none of these: what was best for networks that were held out (tools/predictor-figures).
    static constexpr TreeOptions kGeneral{
        .rounds = 100, .depth = 6, .shrinkage = 0.1, .least_weight = 5.0};

    FeatureColumns columns_;
    BoostedTrees score_, deviation_, validity_;
};

}  // namespace

const ModelKind &tuning_model_trees() {
    static const ModelKind kind = {"trees", "gradient-boosted trees on features of points",
                                   [](uint64_t) { return std::make_unique<Trees>(); }};
    return kind;
}

}  // namespace emulsion
