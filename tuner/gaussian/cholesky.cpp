#include "tuner/gaussian/cholesky.h"

#include "fusion/error.h"

namespace emulsion {

Eigen::LLT<Eigen::MatrixXd> factorised(Eigen::MatrixXd covariance) {
    constexpr double kLeast = 1e-10, kGrowth = 10.0;
    constexpr int kTries = 10;
    const double mean = covariance.diagonal().mean();
    double jitter = 0.0;  // on the diagonal so far
    for (int tries = 0; tries <= kTries; tries++) {
        Eigen::LLT<Eigen::MatrixXd> factor(covariance);
        if (factor.info() == Eigen::Success) {
            return factor;
        }
        const double next = jitter == 0.0 ? kLeast * mean : kGrowth * jitter;
        covariance.diagonal().array() += next - jitter;
        jitter = next;
    }
    throw Error("a covariance matrix is not positive definite");
}

}  // namespace emulsion
