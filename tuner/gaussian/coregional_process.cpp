#include "tuner/gaussian/coregional_process.h"

#include <cmath>
#include <numbers>
#include <utility>

#include "tuner/gaussian/cholesky.h"

namespace emulsion {

namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

// exp(-sum over k of ((x(r,k) - z(s,k)) / length(k))^2).
MatrixXd correlation(const MatrixXd &x, const MatrixXd &z, const VectorXd &length) {
    const VectorXd scale = length.cwiseInverse();
    const MatrixXd u = x * scale.asDiagonal(), v = z * scale.asDiagonal();
    MatrixXd squares = -2.0 * u * v.transpose();
    squares.colwise() += u.rowwise().squaredNorm();
    squares.rowwise() += v.rowwise().squaredNorm().transpose();
    return (-squares.array().max(0.0)).exp();
}

// By observation: of its task's row of `of_tasks`, this column.
VectorXd by_observation(const ProcessData &data, const MatrixXd &of_tasks, Index column) {
    VectorXd values(data.y.size());
    for (Index r = 0; r < values.size(); r++) {
        values(r) = of_tasks(data.task[static_cast<size_t>(r)], column);
    }
    return values;
}

// By task: the sum of its observations'.
VectorXd by_task(const ProcessData &data, const VectorXd &of_observations) {
    VectorXd sums = VectorXd::Zero(data.tasks);
    for (Index r = 0; r < of_observations.size(); r++) {
        sums(data.task[static_cast<size_t>(r)]) += of_observations(r);
    }
    return sums;
}

MatrixXd same_tasks(const ProcessData &data) {
    const Index count = data.y.size();
    MatrixXd same(count, count);
    for (Index r = 0; r < count; r++) {
        for (Index s = 0; s < count; s++) {
            same(r, s) = data.task[static_cast<size_t>(r)] == data.task[static_cast<size_t>(s)];
        }
    }
    return same;
}

// What a latent process's correlation is multiplied with.
MatrixXd coupling(const ProcessData &data, const ProcessParameters &parameters,
                  const MatrixXd &same_task, Index q) {
    const VectorXd shared = by_observation(data, parameters.shared, q);
    const VectorXd own = by_observation(data, parameters.own, q);
    return shared * shared.transpose() + own.asDiagonal() * same_task;
}

MatrixXd covariance(const ProcessData &data, const ProcessParameters &parameters,
                    const MatrixXd &same_task) {
    MatrixXd sum = by_observation(data, parameters.noise, 0).asDiagonal();
    for (Index q = 0; q < parameters.latent(); q++) {
        sum += coupling(data, parameters, same_task, q)
                   .cwiseProduct(correlation(data.x, data.x, parameters.length.col(q)));
    }
    return sum;
}

}  // namespace

CoregionalProcess::CoregionalProcess(ProcessData data, ProcessParameters parameters)
    : data_(std::move(data)), parameters_(std::move(parameters)), same_task_(same_tasks(data_)),
      factor_(factorised(covariance(data_, parameters_, same_task_))),
      weights_(factor_.solve(data_.y)) {}

double CoregionalProcess::negative_log_likelihood() const {
    const double half_log_determinant = factor_.matrixLLT().diagonal().array().log().sum();
    const double count = static_cast<double>(data_.y.size());
    return data_.y.dot(weights_) / 2.0 + half_log_determinant +
           count / 2.0 * std::log(2.0 * std::numbers::pi);
}

// Half the trace of (covariance^-1 - weights weights^T) times the covariance's derivative.
ProcessParameters CoregionalProcess::gradient() const {
    const Index count = data_.y.size();
    MatrixXd outer = factor_.solve(MatrixXd::Identity(count, count));
    outer -= weights_ * weights_.transpose();
    ProcessParameters gradient{MatrixXd::Zero(data_.x.cols(), parameters_.latent()),
                               MatrixXd::Zero(data_.tasks, parameters_.latent()),
                               MatrixXd::Zero(data_.tasks, parameters_.latent()),
                               by_task(data_, outer.diagonal()) / 2.0};
    for (Index q = 0; q < parameters_.latent(); q++) {
        const MatrixXd weighted =
            outer.cwiseProduct(correlation(data_.x, data_.x, parameters_.length.col(q)));
        gradient.shared.col(q) =
            by_task(data_, weighted * by_observation(data_, parameters_.shared, q));
        gradient.own.col(q) =
            by_task(data_, weighted.cwiseProduct(same_task_).rowwise().sum()) / 2.0;
        const MatrixXd coupled = weighted.cwiseProduct(coupling(data_, parameters_, same_task_, q));
        const VectorXd sums = coupled.rowwise().sum();
        for (Index k = 0; k < data_.x.cols(); k++) {
            const VectorXd x = data_.x.col(k);
            // Of coupled(r,s) (x(r) - x(s))^2 over all r and s.
            const double squares = 2.0 * (sums.dot(x.cwiseAbs2()) - x.dot(coupled * x));
            gradient.length(k, q) = squares / std::pow(parameters_.length(k, q), 3.0);
        }
    }
    return gradient;
}

CoregionalProcess::Posterior CoregionalProcess::at(int task, const MatrixXd &x) const {
    MatrixXd cross = MatrixXd::Zero(x.rows(), data_.y.size());
    double variance = 0.0;
    for (Index q = 0; q < parameters_.latent(); q++) {
        VectorXd coupled =
            by_observation(data_, parameters_.shared, q) * parameters_.shared(task, q);
        for (Index r = 0; r < coupled.size(); r++) {
            if (data_.task[static_cast<size_t>(r)] == task) {
                coupled(r) += parameters_.own(task, q);
            }
        }
        cross += correlation(x, data_.x, parameters_.length.col(q)) * coupled.asDiagonal();
        variance += std::pow(parameters_.shared(task, q), 2.0) + parameters_.own(task, q);
    }
    const MatrixXd solved = factor_.matrixL().solve(cross.transpose());
    const VectorXd left = variance - solved.colwise().squaredNorm().transpose().array();
    return {cross * weights_, left.cwiseMax(0.0).cwiseSqrt()};
}

}  // namespace emulsion
