#include "tuner/features.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <limits>

#include "tuner/ansor/roles.h"
#include "tuner/grid.h"

namespace emulsion {

namespace {

constexpr const char *kOfProblem = "problem.";
constexpr double kMissing = std::numeric_limits<double>::quiet_NaN();

// "2.width" of a group of three stages is "s0.width".
std::string general_name(const NestParameter &parameter, size_t stages) {
    const std::string own = own_name(parameter);
    if (stages < 2 || own == parameter.name) {
        return "s0." + parameter.name;
    }
    const size_t stage = std::min(stage_of(parameter), stages - 1);
    return "s" + std::to_string(stages - 1 - stage) + "." + own;
}

double number_of(const NestParameter &parameter, const Nest &nest) {
    const int64_t known = value_of(nest, parameter);
    if (known == Grid::kAbsent) {
        return kMissing;
    }
    const auto value = static_cast<double>(known);
    return parameter.type == NestType::Count ? std::log2(std::max(value, 0.5)) : value;
}

}  // namespace

PointFeatures::PointFeatures(const TuningTask &task) : task_(task) {
    const size_t stages = static_cast<size_t>(std::count(task.space.template_name.begin(),
                                                         task.space.template_name.end(), '+')) +
                          1;
    for (const std::string difference : {"", "-"}) {
        for (const NestParameter &parameter : task.space.parameters) {
            names_.push_back(general_name(parameter, stages) + difference);
        }
    }
    for (size_t i = 0; i < task.space.constraints.size(); i++) {
        const NestConstraint &constraint = task.space.constraints[i];
        if (constraint.rule == NestConstraint::Rule::ProductAtMost && constraint.number > 0) {
            products_.push_back(&constraint);
            names_.push_back("product " + std::to_string(i));
        }
    }
    planned_ = parameters_of(task.planned);
    if (!task.facts) {
        return;
    }
    planned_facts_ = task.facts->of(task.planned);
    for (const std::string difference : {"", "-"}) {
        for (const std::string &name : task.facts->names()) {
            names_.push_back(name + difference);
        }
    }
    for (const Fact &fact : task.facts->of_problem()) {
        names_.push_back(kOfProblem + fact.name);
        of_problem_.push_back(static_cast<float>(fact.value));
    }
}

std::vector<double> PointFeatures::parameters_of(const Nest &nest) const {
    std::vector<double> values;
    for (const NestParameter &parameter : task_.space.parameters) {
        values.push_back(number_of(parameter, nest));
    }
    return values;
}

std::vector<float> PointFeatures::of(const Nest &nest) const {
    std::vector<float> features;
    features.reserve(names_.size());
    const auto add = [&](const std::vector<double> &values, const std::vector<double> &planned) {
        for (const double value : values) {
            features.push_back(static_cast<float>(value));
        }
        for (size_t i = 0; i < values.size(); i++) {
            features.push_back(static_cast<float>(values[i] - planned[i]));
        }
    };
    add(parameters_of(nest), planned_);
    for (const NestConstraint *constraint : products_) {
        double sum = -std::log2(static_cast<double>(constraint->number));
        for (const std::string &name : constraint->parameters) {
            const auto found = nest.parameters.find(name);
            sum += found == nest.parameters.end()
                       ? kMissing
                       : std::log2(std::max(static_cast<double>(found->second), 0.5));
        }
        features.push_back(static_cast<float>(sum));
    }
    if (task_.facts) {
        add(task_.facts->of(nest), planned_facts_);
        features.insert(features.end(), of_problem_.begin(), of_problem_.end());
    }
    return features;
}

size_t count_parameters(const std::vector<std::string> &names) {
    // Behind them are their differences to the planned nest's.
    const auto is_difference = [](const std::string &name) { return name.ends_with('-'); };
    return static_cast<size_t>(std::find_if(names.begin(), names.end(), is_difference) -
                               names.begin());
}

std::vector<size_t> problem_columns(const std::vector<std::string> &names) {
    std::vector<size_t> columns;
    for (size_t i = 0; i < names.size(); i++) {
        if (names[i].starts_with(kOfProblem)) {
            columns.push_back(i);
        }
    }
    return columns;
}

FeatureColumns::FeatureColumns(const std::vector<std::string> &names) { add(names); }

void FeatureColumns::add(const std::vector<std::string> &names) {
    for (const std::string &name : names) {
        if (column_.emplace(name, names_.size()).second) {
            names_.push_back(name);
        }
    }
}

std::vector<size_t> FeatureColumns::columns_of(const std::vector<std::string> &features) const {
    std::vector<size_t> columns;
    for (const std::string &name : features) {
        const auto found = column_.find(name);
        columns.push_back(found != column_.end() ? found->second : npos);
    }
    return columns;
}

void FeatureColumns::append(FeatureMatrix &matrix, const std::vector<float> &features,
                            const std::vector<size_t> &columns) const {
    assert(features.size() == columns.size());
    matrix.columns = names_.size();
    const size_t begin = matrix.values.size();
    matrix.values.resize(begin + names_.size(), std::numeric_limits<float>::quiet_NaN());
    for (size_t i = 0; i < features.size(); i++) {
        if (columns[i] != npos) {
            matrix.values[begin + columns[i]] = features[i];
        }
    }
}

}  // namespace emulsion
