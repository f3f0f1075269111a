#include "tuner/gaussian/inputs.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include <nlohmann/json.hpp>

#include "fusion/error.h"
#include "tuner/features.h"

namespace emulsion {

namespace {

constexpr const char *kPrice = "cycles-";

}  // namespace

ProcessInputs::ProcessInputs(const std::vector<std::string> &names,
                             const std::vector<const std::vector<float> *> &points) {
    const size_t parameters = count_parameters(names);
    for (size_t i = 0; i < names.size(); i++) {
        if (i >= parameters && names[i] != kPrice) {
            continue;
        }
        double least = std::numeric_limits<double>::infinity(), most = -least;
        bool is_missing = false;
        for (const std::vector<float> *point : points) {
            const double value = (*point)[i];
            if (std::isfinite(value)) {
                least = std::min(least, value);
                most = std::max(most, value);
            } else {
                is_missing = true;
            }
        }
        if (most < least || (most == least && !is_missing)) {
            continue;
        }
        // A parameter that a nest lacks lies one step below all values.
        least -= is_missing ? 1.0 : 0.0;
        names_.push_back(names[i]);
        least_.push_back(least);
        extent_.push_back(most - least);
    }
}

Eigen::MatrixXd ProcessInputs::of(const std::vector<std::string> &names,
                                  const std::vector<const std::vector<float> *> &points) const {
    Eigen::MatrixXd x = Eigen::MatrixXd::Zero(static_cast<Eigen::Index>(points.size()),
                                              static_cast<Eigen::Index>(names_.size()));
    for (size_t k = 0; k < names_.size(); k++) {
        const auto found = std::find(names.begin(), names.end(), names_[k]);
        if (found == names.end()) {
            continue;
        }
        const auto column = static_cast<size_t>(found - names.begin());
        for (size_t r = 0; r < points.size(); r++) {
            if (const double value = (*points[r])[column]; std::isfinite(value)) {
                x(static_cast<Eigen::Index>(r), static_cast<Eigen::Index>(k)) =
                    (value - least_[k]) / extent_[k];
            }
        }
    }
    return x;
}

nlohmann::json ProcessInputs::to_json() const {
    return {{"names", names_}, {"least", least_}, {"extent", extent_}};
}

ProcessInputs ProcessInputs::from_json(const nlohmann::json &json) {
    ProcessInputs inputs;
    inputs.names_ = json.at("names").get<std::vector<std::string>>();
    inputs.least_ = json.at("least").get<std::vector<double>>();
    inputs.extent_ = json.at("extent").get<std::vector<double>>();
    const auto is_positive = [](double extent) { return extent > 0.0; };
    if (inputs.least_.size() != inputs.names_.size() ||
        inputs.extent_.size() != inputs.names_.size() ||
        !std::all_of(inputs.extent_.begin(), inputs.extent_.end(), is_positive)) {
        throw Error(
            "inputs of a Gaussian process have other numbers of names, beginnings and extents, or empty ones");
    }
    return inputs;
}

}  // namespace emulsion
