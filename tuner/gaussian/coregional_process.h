// A Gaussian process of several tasks at once: the linear model of coregionalisation, as GPTune has it (Y. Liu et al., PPoPP 2021,
// section 3.1). With one task and one latent process it is a plain one.
#pragma once

#include <Eigen/Dense>
#include <vector>

namespace emulsion {

// Observations: of each a row of inputs, a number, and the task that it is of.
struct ProcessData {
    Eigen::MatrixXd x;      // in [0, 1]
    Eigen::VectorXd y;      // of mean 0 and variance 1, more or less
    std::vector<int> task;  // from 0
    int tasks = 1;

    bool operator==(const ProcessData &other) const {
        return tasks == other.tasks && task == other.task && x.rows() == other.x.rows() &&
               x.cols() == other.x.cols() && x == other.x && y == other.y;
    }
};

// The covariance of observations r and s of tasks i and j is
//
//   sum over q of (shared(i,q) shared(j,q) + [i = j] own(i,q)) exp(-sum over k of ((x(r,k) - x(s,k)) / length(k,q))^2)
//     + [r = s] noise(i)
//
// GPTune's code has a variance of every latent process as well, which is a factor of `shared` and `own` here.
struct ProcessParameters {
    Eigen::MatrixXd length;  // inputs x latent processes
    Eigen::MatrixXd shared;  // tasks x latent processes
    Eigen::MatrixXd own;     // the same; not negative
    Eigen::VectorXd noise;   // by task; not negative

    Eigen::Index latent() const { return length.cols(); }
};

class CoregionalProcess {
public:
    // Throws Error where the covariance of the data is none.
    CoregionalProcess(ProcessData data, ProcessParameters parameters);

    const ProcessData &data() const { return data_; }
    const ProcessParameters &parameters() const { return parameters_; }

    // Of the data under these parameters.
    double negative_log_likelihood() const;
    // Of that, by each of the parameters.
    ProcessParameters gradient() const;

    struct Posterior {
        Eigen::VectorXd mean,
            deviation;  // by row; of the process, without the noise of an observation
    };
    // At rows of inputs, for one of the tasks.
    Posterior at(int task, const Eigen::MatrixXd &x) const;

private:
    ProcessData data_;
    ProcessParameters parameters_;
    Eigen::MatrixXd same_task_;  // 1 where two observations are of one task, else 0
    Eigen::LLT<Eigen::MatrixXd> factor_;
    Eigen::VectorXd weights_;  // covariance^-1 y
};

}  // namespace emulsion
