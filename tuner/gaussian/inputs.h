// Features of points as inputs of a Gaussian process: numbers from 0 to 1 of what differs from point to point.
#pragma once

#include <Eigen/Dense>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

namespace emulsion {

class ProcessInputs {
public:
    ProcessInputs() = default;
    // Of points that features of these names tell: parameters of the nest, and what the planner's model says of its cycles over those of the
    // planned nest (GPTune, section 3.3: a performance model's output as one more feature). What is the same for all of `points` is none.
    ProcessInputs(const std::vector<std::string> &names,
                  const std::vector<const std::vector<float> *> &points);

    const std::vector<std::string> &names() const { return names_; }
    // A row for every point, of features of these names; 0 where there is none.
    Eigen::MatrixXd of(const std::vector<std::string> &names,
                       const std::vector<const std::vector<float> *> &points) const;

    nlohmann::json to_json() const;
    // Throws nlohmann::json::exception and Error.
    static ProcessInputs from_json(const nlohmann::json &json);

private:
    std::vector<std::string> names_;
    std::vector<double> least_, extent_;
};

}  // namespace emulsion
