// The text of a ProcessModel.
#include <algorithm>
#include <cmath>
#include <string>

#include <nlohmann/json.hpp>

#include "fusion/error.h"
#include "tuner/features.h"
#include "tuner/gaussian/process_model.h"

namespace emulsion {

namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Json = nlohmann::json;

constexpr const char *kProcessSchema = "emulsion-gaussian-process";

// By column; it says itself how many rows it has.
Json to_json(const MatrixXd &matrix) {
    return {{"rows", matrix.rows()},
            {"values", std::vector<double>(matrix.data(), matrix.data() + matrix.size())}};
}

MatrixXd matrix_from(const Json &json, Index rows, Index columns) {
    const auto values = json.at("values").get<std::vector<double>>();
    if (json.at("rows").get<Index>() != rows || std::ssize(values) != rows * columns) {
        throw Error("a matrix of a Gaussian process has the wrong size");
    }
    for (const double value : values) {
        if (!std::isfinite(value)) {
            throw Error("a matrix of a Gaussian process has what is no number");
        }
    }
    return Eigen::Map<const MatrixXd>(values.data(), rows, columns);
}

}  // namespace

std::string ProcessModel::save() const {
    Json families = Json::array();
    for (const Family &family : families_) {
        const ProcessData &data = family.process->data();
        const ProcessParameters &parameters = family.process->parameters();
        families.push_back({{"names", family.names},
                            {"tasks", family.tasks},
                            {"inputs", family.inputs.to_json()},
                            {"level", family.level},
                            {"scale", family.scale},
                            {"problems", to_json(family.problems)},
                            {"x", to_json(data.x)},
                            {"y", to_json(data.y)},
                            {"task", data.task},
                            {"latent", parameters.latent()},
                            {"length", to_json(parameters.length)},
                            {"shared", to_json(parameters.shared)},
                            {"own", to_json(parameters.own)},
                            {"noise", to_json(parameters.noise)}});
    }
    return Json{{"schema", kProcessSchema},
                {"version", 1},
                {"features", kPointFeaturesVersion},
                {"together", tasks_ == Tasks::Together},
                {"families", families}}
        .dump();
}

void ProcessModel::load(const std::string &text) {
    try {
        const Json json = Json::parse(text);
        if (json.at("schema") != kProcessSchema || json.at("version") != 1 ||
            json.at("together") != (tasks_ == Tasks::Together)) {
            throw Error("it is no such Gaussian process of version 1");
        }
        if (json.at("features") != kPointFeaturesVersion) {
            throw Error("it is of features of version " + json["features"].dump() +
                        ", and this program has version " + std::to_string(kPointFeaturesVersion) +
                        "; train it anew");
        }
        std::vector<Family> families;
        for (const Json &known : json.at("families")) {
            Family family{.names = known.at("names").get<std::vector<std::string>>(),
                          .tasks = known.at("tasks").get<std::vector<size_t>>(),
                          .inputs = ProcessInputs::from_json(known.at("inputs")),
                          .level = known.at("level").get<std::vector<double>>(),
                          .scale = known.at("scale").get<double>()};
            const auto tasks = std::ssize(family.tasks), inputs = std::ssize(family.inputs.names());
            family.problems =
                matrix_from(known.at("problems"), tasks, std::ssize(problem_columns(family.names)));
            ProcessData data{.task = known.at("task").get<std::vector<int>>(),
                             .tasks = static_cast<int>(tasks)};
            data.x = matrix_from(known.at("x"), std::ssize(data.task), inputs);
            data.y = matrix_from(known.at("y"), std::ssize(data.task), 1);
            const auto latent = known.at("latent").get<Index>();
            ProcessParameters parameters{matrix_from(known.at("length"), inputs, latent),
                                         matrix_from(known.at("shared"), tasks, latent),
                                         matrix_from(known.at("own"), tasks, latent),
                                         matrix_from(known.at("noise"), tasks, 1)};
            const auto is_task = [&](int task) { return task >= 0 && task < tasks; };
            if (std::ssize(family.level) != tasks || !(family.scale > 0.0) || latent < 1 ||
                !std::all_of(data.task.begin(), data.task.end(), is_task) ||
                !(parameters.length.array() > 0.0).all()) {
                throw Error("numbers of a Gaussian process are not of its tasks");
            }
            family.process.emplace(std::move(data), std::move(parameters));
            families.push_back(std::move(family));
        }
        families_ = std::move(families);
    } catch (const Json::exception &error) {
        throw Error(std::string("it is no Gaussian process: ") + error.what());
    }
}

}  // namespace emulsion
