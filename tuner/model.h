// A model of how fast the points of tasks are, which learns from measurements. One file of tuner/models/, which defines
//
//     const ModelKind &tuning_model_<filename>();
//
// found when CMake configures.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace emulsion {

// What was measured of one task.
struct TaskSamples {
    const std::vector<std::string> *names = nullptr;  // of features
    std::vector<std::vector<float>> features;         // by point
    // Throughput over that of the fastest known point of the task: 1 of that one. 0 of points that failed.
    std::vector<float> scores;
    std::vector<bool> are_valid;  // those that did not fail
    // How far the score was from what the model had said before; NaN where it had said nothing.
    std::vector<float> surprises;
};

// Points of one task, of which something is to be said.
struct TaskPoints {
    const std::vector<std::string> &names;            // of features
    const std::vector<std::vector<float>> &features;  // by point
    // Position of the task's samples among those that the model was fitted to; none of a task without any.
    std::optional<size_t> task{};
};

struct Prediction {
    double mean = 0.0;       // score, as TaskSamples has it
    double deviation = 0.0;  // how far from that the score is expected to be
    double p_valid = 1.0;    // probability that the point does not fail
};

// What predictions are wanted for.
struct ModelUse {
    bool deviation = false, validity = false;  // otherwise they stay as they are above
    bool order = false;                        // of means nothing but their order within a task
};

class Model {
public:
    Model() = default;
    Model(const Model &) = delete;
    Model &operator=(const Model &) = delete;
    virtual ~Model() = default;

    // Learns from these samples, all there are: nothing is kept of what it has learned before. Equal samples give equal models.
    virtual void fit(const std::vector<TaskSamples> &samples, const ModelUse &use) = 0;
    virtual bool is_fitted() const = 0;
    virtual std::vector<Prediction> predict(const TaskPoints &points) const = 0;
    // Which features its predictions come from, the most important first: names and shares.
    virtual std::vector<std::pair<std::string, double>> importances() const { return {}; }

    // Text that load() of the same kind takes, in any process; the same for equal models. load() throws Error for other text, and for
    // features of another version.
    virtual std::string save() const = 0;
    virtual void load(const std::string &text) = 0;
};

struct ModelKind {
    std::string name;
    std::string description;  // one line
    std::function<std::unique_ptr<Model>(uint64_t seed)> make;
    double new_share = 0.05;  // of the samples, more than which have to be new for another fit
};

// All of them, by file name (generated).
std::span<const ModelKind *const> all_models();
// Throws Error, listing the known ones, for an unknown name.
const ModelKind &find_model(const std::string &name);

}  // namespace emulsion
