// Factors of covariance matrices.
#pragma once

#include <Eigen/Dense>

namespace emulsion {

// Of a symmetric matrix that is positive definite but for rounding: with as little added to its diagonal as it takes, at first nothing,
// then 1e-10 of its mean, then ten times as much, ten times in all (as GPTune's code does). Throws Error where that is not enough.
Eigen::LLT<Eigen::MatrixXd> factorised(Eigen::MatrixXd covariance);

}  // namespace emulsion
