#include "tuner/graph/graph_model.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <random>
#include <utility>

#include <nlohmann/json.hpp>

#include "fusion/error.h"
#include "tuner/graph/adam.h"

namespace emulsion {

namespace {

using Eigen::Index;
using Json = nlohmann::json;
using Matrix = GraphNet<float>::Matrix;

constexpr const char *kGraphSchema = "emulsion-graph-network";
// Programs that the network looks at together.
constexpr size_t kBatch = 32, kAsked = 64;
constexpr size_t kMostHidden = 1024, kMostLayers = 64, kMostRow = 1024;

// Programs of one task, and logarithms of their scores.
struct Part {
    CodeList programs;
    std::vector<float> goals;
};

// What is so many times as slow as the fastest, and what failed, is as slow as anything.
float goal_of(float score) {
    constexpr float kSlowest = 1.0F / 32.0F;
    return std::log(std::max(score, kSlowest));
}

// All samples, in batches of one task each, in a new order.
std::vector<Part> parts_of(const std::vector<CodeSamples> &samples, std::mt19937_64 &engine) {
    std::vector<Part> parts;
    for (const CodeSamples &task : samples) {
        std::vector<size_t> order(task.programs.size());
        for (size_t i = 0; i < order.size(); i++) {
            order[i] = i;
        }
        std::shuffle(order.begin(), order.end(), engine);
        // As large as each other, and none of a single program.
        const size_t count = (order.size() + kBatch - 1) / kBatch;
        for (size_t part = 0; part < count && order.size() > 1; part++) {
            parts.emplace_back();
            for (size_t i = part; i < order.size(); i += count) {
                parts.back().programs.push_back(task.programs[order[i]]);
                parts.back().goals.push_back(goal_of(task.scores[order[i]]));
            }
        }
    }
    std::shuffle(parts.begin(), parts.end(), engine);
    return parts;
}

// Of the mean squared error, when only differences count.
Matrix slopes_of(const Matrix &output, const std::vector<float> &goals) {
    const Eigen::Map<const Matrix> wanted(goals.data(), std::ssize(goals), 1);
    Matrix error = output - wanted;
    error.array() -= error.mean();
    return error * (2.0F / static_cast<float>(goals.size()));
}

}  // namespace

GraphModelOptions graph_model_options(bool propagates, uint64_t seed) {
    GraphModelOptions options{.propagates = propagates, .seed = seed};
    if (!propagates) {
        options.hidden = 38;
        options.rate = 2e-3;
    }
    return options;
}

GraphModel::Batch GraphModel::scaled_batch(const CodeList &programs) const {
    Batch batch = batch_of<float>(programs, row_);
    for (size_t i = 0; i < scale_.size(); i++) {
        batch.nodes.col(kNodeKinds + static_cast<Index>(i)) /= scale_[i];
    }
    return batch;
}

void GraphModel::fit(const std::vector<CodeSamples> &samples) {
    net_.reset();
    row_ = 0;
    std::vector<double> squares;
    double nodes = 0.0;
    for (const CodeSamples &task : samples) {
        for (const CodeFeatures *program : task.programs) {
            row_ = program->nodes.front().size();
            squares.resize(row_ - kNodeLinks);
            for (const std::vector<float> &node : program->nodes) {
                for (size_t i = kNodeLinks; i < std::min(node.size(), row_); i++) {
                    squares[i - kNodeLinks] += static_cast<double>(node[i]) * node[i];
                }
                nodes += 1.0;
            }
        }
    }
    if (row_ == 0) {
        return;
    }
    scale_.clear();
    for (const double square : squares) {
        scale_.push_back(square > 0.0 ? static_cast<float>(std::sqrt(square / nodes)) : 1.0F);
    }
    Net net({.inputs = node_columns(row_),
             .hidden = options_.hidden,
             .layers = options_.layers,
             .propagates = options_.propagates},
            options_.seed);
    Adam<Matrix> adam(net.parameters());
    std::mt19937_64 engine(options_.seed);
    for (int epoch = 0; epoch < options_.epochs; epoch++) {
        const double share = static_cast<double>(epoch) / options_.epochs;
        const double rate = options_.rate * (1.0 + std::cos(std::numbers::pi * share)) / 2.0;
        for (const Part &part : parts_of(samples, engine)) {
            const auto gradient =
                net.gradient(scaled_batch(part.programs),
                             [&](const Matrix &output) { return slopes_of(output, part.goals); });
            adam.step(net.parameters(), gradient, rate);
        }
    }
    net_.emplace(std::move(net));
}

std::vector<double> GraphModel::scores(const CodeList &programs) const {
    std::vector<double> scores;
    for (size_t begin = 0; begin < programs.size(); begin += kAsked) {
        const auto first = programs.begin() + static_cast<std::ptrdiff_t>(begin);
        const CodeList some(
            first, first + static_cast<std::ptrdiff_t>(std::min(kAsked, programs.size() - begin)));
        const Matrix output = net_->predict(scaled_batch(some));
        scores.insert(scores.end(), output.data(), output.data() + output.size());
    }
    return scores;
}

std::string GraphModel::save() const {
    Json parameters = Json::array();
    for (const Matrix &parameter : net_->parameters()) {
        parameters.push_back({{"rows", parameter.rows()},
                              {"values", std::vector<float>(parameter.data(),
                                                            parameter.data() + parameter.size())}});
    }
    return Json{{"schema", kGraphSchema},
                {"version", 2},
                {"propagates", options_.propagates},
                {"hidden", options_.hidden},
                {"layers", options_.layers},
                {"row", row_},
                {"scale", scale_},
                {"parameters", std::move(parameters)}}
        .dump();
}

void GraphModel::load(const std::string &text) {
    try {
        const Json json = Json::parse(text);
        if (json.at("schema") != kGraphSchema || json.at("version") != 2 ||
            json.at("propagates") != options_.propagates) {
            throw Error("it is no such graph network of version 2");
        }
        const auto hidden = json.at("hidden").get<size_t>(),
                   layers = json.at("layers").get<size_t>(), row = json.at("row").get<size_t>();
        auto scale = json.at("scale").get<std::vector<float>>();
        const auto is_positive = [](float value) { return value > 0.0F; };
        if (hidden < 1 || hidden > kMostHidden || layers > kMostLayers || row < kNodeLinks ||
            row > kMostRow || scale.size() != row - kNodeLinks ||
            !std::all_of(scale.begin(), scale.end(), is_positive)) {
            throw Error("a graph network has no such shape");
        }
        Net::Parameters parameters;
        for (const Json &known : json.at("parameters")) {
            const auto values = known.at("values").get<std::vector<float>>();
            const auto rows = known.at("rows").get<Index>();
            if (rows < 1 || std::ssize(values) % rows != 0) {
                throw Error("a parameter of a graph network is no matrix");
            }
            parameters.push_back(
                Eigen::Map<const Matrix>(values.data(), rows, std::ssize(values) / rows));
        }
        options_.hidden = static_cast<Index>(hidden);
        options_.layers = static_cast<int>(layers);
        net_.emplace(
            NetShape{node_columns(row), options_.hidden, options_.layers, options_.propagates},
            std::move(parameters));
        row_ = row;
        scale_ = std::move(scale);
    } catch (const Json::exception &error) {
        throw Error(std::string("it is no graph network: ") + error.what());
    }
}

}  // namespace emulsion
