// What models learn from of a point of a task's space: named numbers, in microseconds. (What the lowered code says of it takes a
// thousand times as long.)
#pragma once

#include <cstddef>
#include <map>
#include <string>
#include <vector>

#include "tuner/boosted_trees.h"
#include "tuner/task.h"

namespace emulsion {

// Rises where equal points get other features.
constexpr int kPointFeaturesVersion = 1;

// Of points of one task. Stages of a group count from the last one ("s0.width" is of the one that stores the result), so
// that the same thing has the same name in all tasks:
//
//   s0.width         the parameter's value, of counts its logarithm to base 2
//   s0.width-        the same, less that of the planned nest
//   product 3        of the space's fourth constraint that bounds a product: its logarithm, less that of the bound
//   cycles, ...      facts (TuningTask::facts), of the problem and of the point
//   cycles-          facts of the point, less those of the planned nest
class PointFeatures {
public:
    // Of a task that outlives this.
    explicit PointFeatures(const TuningTask &task);

    const std::vector<std::string> &names() const { return names_; }
    // Of a valid point, in the order of the names; NaN where there is no value.
    std::vector<float> of(const Nest &nest) const;

private:
    std::vector<double> parameters_of(const Nest &nest) const;

    const TuningTask &task_;
    std::vector<std::string> names_;
    std::vector<const NestConstraint *> products_;
    std::vector<double> planned_, planned_facts_;
    std::vector<float> of_problem_;
};

// How many of a task's features are values of parameters: the first ones.
size_t count_parameters(const std::vector<std::string> &names);
// Which of them are facts of the task's problem: the same for all of its points.
std::vector<size_t> problem_columns(const std::vector<std::string> &names);

// The columns of a matrix whose rows are features of points of several tasks.
class FeatureColumns {
public:
    FeatureColumns() = default;
    explicit FeatureColumns(const std::vector<std::string> &names);

    // Columns for those that have none so far.
    void add(const std::vector<std::string> &names);
    const std::vector<std::string> &names() const { return names_; }
    // By feature: its column, or npos.
    std::vector<size_t> columns_of(const std::vector<std::string> &features) const;
    static constexpr size_t npos = static_cast<size_t>(-1);
    // One row more, of features that lie in these columns.
    void append(FeatureMatrix &matrix, const std::vector<float> &features,
                const std::vector<size_t> &columns) const;

private:
    std::vector<std::string> names_;
    std::map<std::string, size_t> column_;
};

}  // namespace emulsion
