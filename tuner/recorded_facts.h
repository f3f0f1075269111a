// What was known of a task's points when they were recorded.
#pragma once

#include <map>
#include <string>
#include <utility>
#include <vector>

#include "fusion/point_facts.h"

namespace emulsion {

class RecordedFacts : public PointFacts {
public:
    RecordedFacts(std::vector<Fact> of_problem, std::vector<std::string> names)
        : of_problem_(std::move(of_problem)), names_(std::move(names)) {}

    // Throws Error for another number of values than names.
    void add(const Nest &nest, std::vector<double> values);

    const std::vector<Fact> &of_problem() const override { return of_problem_; }
    const std::vector<std::string> &names() const override { return names_; }
    // NaN of points that were not recorded.
    std::vector<double> of(const Nest &nest) const override;

private:
    std::vector<Fact> of_problem_;
    std::vector<std::string> names_;
    std::map<std::string, std::vector<double>> values_;  // by point_text
};

}  // namespace emulsion
