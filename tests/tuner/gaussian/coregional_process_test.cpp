#include "tuner/gaussian/coregional_process.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>
#include <random>

#include "fusion/error.h"
#include "tuner/gaussian/cholesky.h"

namespace emulsion {

namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

MatrixXd drawn(Index rows, Index columns, double least, double most, std::mt19937_64 &engine) {
    std::uniform_real_distribution<double> uniform(least, most);
    MatrixXd matrix(rows, columns);
    for (Index i = 0; i < matrix.size(); i++) {
        matrix.data()[i] = uniform(engine);
    }
    return matrix;
}

ProcessData some_data(int tasks, Index points, Index inputs, std::mt19937_64 &engine) {
    ProcessData data{
        drawn(points, inputs, 0.0, 1.0, engine), drawn(points, 1, -2.0, 2.0, engine), {}, tasks};
    for (Index r = 0; r < points; r++) {
        data.task.push_back(static_cast<int>(engine() % static_cast<uint64_t>(tasks)));
    }
    return data;
}

ProcessParameters some_parameters(int tasks, Index inputs, Index latent, std::mt19937_64 &engine) {
    return {drawn(inputs, latent, 0.2, 1.5, engine), drawn(tasks, latent, 0.3, 1.2, engine),
            drawn(tasks, latent, 0.05, 0.6, engine), drawn(tasks, 1, 0.05, 0.3, engine)};
}

// As the header's formula says it.
double covariance(const ProcessParameters &p, int i, int j, const VectorXd &x, const VectorXd &z) {
    double sum = 0.0;
    for (Index q = 0; q < p.latent(); q++) {
        double squares = 0.0;
        for (Index k = 0; k < x.size(); k++) {
            squares += std::pow((x(k) - z(k)) / p.length(k, q), 2.0);
        }
        sum +=
            (p.shared(i, q) * p.shared(j, q) + (i == j ? p.own(i, q) : 0.0)) * std::exp(-squares);
    }
    return sum;
}

MatrixXd covariance(const ProcessData &data, const ProcessParameters &p) {
    MatrixXd matrix(data.y.size(), data.y.size());
    for (Index r = 0; r < matrix.rows(); r++) {
        for (Index s = 0; s < matrix.cols(); s++) {
            const int i = data.task[static_cast<size_t>(r)], j = data.task[static_cast<size_t>(s)];
            matrix(r, s) =
                covariance(p, i, j, data.x.row(r), data.x.row(s)) + (r == s ? p.noise(i) : 0.0);
        }
    }
    return matrix;
}

TEST(CoregionalProcess, IsWhatItsFormulaSays) {
    std::mt19937_64 engine(1);
    for (const int tasks : {1, 2, 5}) {
        for (const Index latent : {1, 3}) {
            const ProcessData data = some_data(tasks, 17, 3, engine);
            const ProcessParameters parameters = some_parameters(tasks, 3, latent, engine);
            const CoregionalProcess process(data, parameters);
            const MatrixXd k = covariance(data, parameters), inverse = k.inverse();
            EXPECT_NEAR(0.5 * data.y.dot(inverse * data.y) + 0.5 * std::log(k.determinant()) +
                            8.5 * std::log(2.0 * std::numbers::pi),
                        process.negative_log_likelihood(), 1e-8);
            const MatrixXd x = drawn(4, 3, 0.0, 1.0, engine);
            const int task = tasks - 1;
            const CoregionalProcess::Posterior at = process.at(task, x);
            for (Index r = 0; r < x.rows(); r++) {
                VectorXd cross(data.y.size());
                for (Index s = 0; s < cross.size(); s++) {
                    cross(s) = covariance(parameters, task, data.task[static_cast<size_t>(s)],
                                          x.row(r), data.x.row(s));
                }
                EXPECT_NEAR(cross.dot(inverse * data.y), at.mean(r), 1e-8);
                EXPECT_NEAR(covariance(parameters, task, task, x.row(r), x.row(r)) -
                                cross.dot(inverse * cross),
                            std::pow(at.deviation(r), 2.0), 1e-8);
            }
        }
    }
}

TEST(CoregionalProcess, HasTheGradientOfItsLikelihood) {
    std::mt19937_64 engine(2);
    for (const int tasks : {1, 3}) {
        for (const Index latent : {1, 2}) {
            const ProcessData data = some_data(tasks, 12, 4, engine);
            ProcessParameters at = some_parameters(tasks, 4, latent, engine);
            const ProcessParameters gradient = CoregionalProcess(data, at).gradient();
            const auto check = [&](auto ProcessParameters::*which, const char *name) {
                for (Index i = 0; i < (at.*which).size(); i++) {
                    double &value = (at.*which).data()[i];
                    const double was = value, step = 1e-6;
                    value = was + step;
                    const double above = CoregionalProcess(data, at).negative_log_likelihood();
                    value = was - step;
                    const double below = CoregionalProcess(data, at).negative_log_likelihood();
                    value = was;
                    const double slope = (gradient.*which).data()[i];
                    EXPECT_NEAR((above - below) / (2.0 * step), slope,
                                1e-5 * std::max(1.0, std::fabs(slope)))
                        << name << " " << i;
                }
            };
            check(&ProcessParameters::length, "length");
            check(&ProcessParameters::shared, "shared");
            check(&ProcessParameters::own, "own");
            check(&ProcessParameters::noise, "noise");
        }
    }
}

TEST(CoregionalProcess, OfTasksThatShareAllIsOneProcess) {
    std::mt19937_64 engine(3);
    const ProcessData data = some_data(4, 20, 2, engine);
    ProcessParameters together{drawn(2, 1, 0.3, 0.9, engine), MatrixXd::Ones(4, 1),
                               MatrixXd::Zero(4, 1), VectorXd::Constant(4, 0.1)};
    ProcessData pooled = data;
    pooled.tasks = 1;
    pooled.task.assign(pooled.task.size(), 0);
    const ProcessParameters alone{together.length, MatrixXd::Ones(1, 1), MatrixXd::Zero(1, 1),
                                  VectorXd::Constant(1, 0.1)};
    const CoregionalProcess several(data, together), one(pooled, alone);
    EXPECT_DOUBLE_EQ(one.negative_log_likelihood(), several.negative_log_likelihood());
    const MatrixXd x = drawn(5, 2, 0.0, 1.0, engine);
    for (int task = 0; task < 4; task++) {
        const auto of_several = several.at(task, x), of_one = one.at(0, x);
        EXPECT_TRUE(of_one.mean.isApprox(of_several.mean, 1e-12));
        EXPECT_TRUE(of_one.deviation.isApprox(of_several.deviation, 1e-9));
    }
}

TEST(CoregionalProcess, PassesThroughWhatItHasSeenWithoutNoise) {
    std::mt19937_64 engine(4);
    const ProcessData data = some_data(1, 6, 2, engine);
    ProcessParameters parameters = some_parameters(1, 2, 1, engine);
    parameters.noise.setZero();
    const auto at = CoregionalProcess(data, parameters).at(0, data.x);
    EXPECT_TRUE(at.mean.isApprox(data.y, 1e-3));
    EXPECT_GT(1e-2, at.deviation.maxCoeff());
}

TEST(Cholesky, AddsAsLittleAsItTakes) {
    // Two equal points without noise: rank one.
    MatrixXd singular = MatrixXd::Ones(3, 3);
    const MatrixXd factor = factorised(singular).matrixL();
    EXPECT_TRUE((factor * factor.transpose()).isApprox(singular, 1e-6));
    MatrixXd definite = MatrixXd::Identity(2, 2);
    definite(0, 1) = definite(1, 0) = 0.5;
    const MatrixXd exact = factorised(definite).matrixL();
    EXPECT_TRUE((exact * exact.transpose()).isApprox(definite, 1e-15));
    EXPECT_THROW(factorised(-MatrixXd::Identity(2, 2)), Error);
}

}  // namespace

}  // namespace emulsion
