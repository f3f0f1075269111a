// Gaussian processes as models of how fast points are.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "tuner/gaussian/coregional_process.h"
#include "tuner/gaussian/inputs.h"
#include "tuner/model.h"

namespace emulsion {

// Logarithms of times, less their mean over a task's points, are taken for values of a Gaussian process: of one for all tasks of the same
// template, or of one for each task. What failed is as slow as anything.
class ProcessModel : public Model {
public:
    enum class Tasks { Together, Alone };
    ProcessModel(Tasks tasks, uint64_t seed) : tasks_(tasks), seed_(seed) {}

    void fit(const std::vector<TaskSamples> &samples, const ModelUse &use) override;
    bool is_fitted() const override { return !families_.empty(); }
    // Means and deviations of scores are exp(m) and exp(m) d, where m and d are those of the process, of the logarithm of the score. Of a task without
    // samples: what tasks of its template say, more of those whose problems are alike (ours; GPTune's transfer regresses the best
    // parameters on the task's). Without any such task, nothing: 0.
    std::vector<Prediction> predict(const TaskPoints &points) const override;
    std::vector<std::pair<std::string, double>> importances() const override;
    std::string save() const override;
    void load(const std::string &text) override;

private:
    // Tasks whose points have the same features.
    struct Family {
        std::vector<std::string> names;
        std::vector<size_t> tasks;  // positions of their samples
        ProcessInputs inputs;
        std::vector<double> level;  // by task: the mean that was taken away
        double scale = 1.0;         // that the rest was divided by
        Eigen::MatrixXd problems;   // a row for every task: facts of its problem
        std::optional<CoregionalProcess> process;
    };

    // `before`: what was fitted to other samples.
    void fit_family(Family &family, const std::vector<TaskSamples> &samples,
                    const std::vector<Family> &before) const;
    static std::vector<Prediction> scores(const Family &family, const Eigen::VectorXd &mean,
                                          const Eigen::VectorXd &deviation, double level);
    static std::vector<Prediction> transferred(const Family &family, const TaskPoints &points);

    const Tasks tasks_;
    const uint64_t seed_;
    std::vector<Family> families_;
};

}  // namespace emulsion
