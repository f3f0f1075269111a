// Steps down a gradient (D. Kingma, J. Ba, Adam, ICLR 2015, algorithm 1).
#pragma once

#include <Eigen/Dense>
#include <cmath>
#include <vector>

namespace emulsion {

template<typename Matrix>
class Adam {
public:
    explicit Adam(const std::vector<Matrix> &parameters) {
        for (const Matrix &parameter : parameters) {
            mean_.push_back(Matrix::Zero(parameter.rows(), parameter.cols()));
            square_.push_back(mean_.back());
        }
    }

    void step(std::vector<Matrix> &parameters, const std::vector<Matrix> &gradient, double rate) {
        using Scalar = typename Matrix::Scalar;
        constexpr double kOfMean = 0.9, kOfSquare = 0.999, kLeast = 1e-8;
        steps_++;
        const double of_mean = rate / (1.0 - std::pow(kOfMean, steps_));
        const double of_square = 1.0 / (1.0 - std::pow(kOfSquare, steps_));
        for (size_t i = 0; i < parameters.size(); i++) {
            mean_[i] = Scalar(kOfMean) * mean_[i] + Scalar(1.0 - kOfMean) * gradient[i];
            square_[i] =
                Scalar(kOfSquare) * square_[i] + Scalar(1.0 - kOfSquare) * gradient[i].cwiseAbs2();
            parameters[i].array() -=
                Scalar(of_mean) * mean_[i].array() /
                ((Scalar(of_square) * square_[i].array()).sqrt() + Scalar(kLeast));
        }
    }

private:
    std::vector<Matrix> mean_, square_;
    int steps_ = 0;
};

}  // namespace emulsion
