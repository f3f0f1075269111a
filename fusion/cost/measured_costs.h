// Prices from measurements, where there are some.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "fusion/group_cost.h"
#include "fusion/plan.h"

namespace emulsion {

// What a group was measured to take, beside what the model says.
struct MeasuredGroup {
    std::string key;                         // group_key
    std::string template_name;               // of the loop nest that stores its result
    double measured = 0.0, predicted = 0.0;  // cycles
};

// Names and implementations of the members, whatever order they are in.
std::string group_key(const PlannedGroup &group);
// Of its last member that has a loop nest; empty for a group that has none.
std::string root_template(const PlannedGroup &group);

// A group that was measured takes what it was measured to; any other what the model says, times how far the model was
// off in the geometric mean: over the groups whose result is stored by a loop nest of the same template, or, where none of
// these was measured, over all. Measured and predicted prices as they are would not be comparable: the model's errors
// are larger than what most decisions win.
class MeasuredCosts : public CostSource {
public:
    MeasuredCosts(std::shared_ptr<CostSource> model, const std::vector<MeasuredGroup> &groups);

    std::unique_ptr<GroupCost> cost_of(const OperatorGraph &graph,
                                       std::vector<bool> free_operators) override;
    // What the model's prices are multiplied with, of groups whose result is stored by a nest of that template.
    double scale_of(const std::string &template_name) const;

private:
    std::shared_ptr<CostSource> model_;
    std::map<std::string, double> measured_;  // by key
    std::map<std::string, double> scales_;    // by template
    double scale_ = 1.0, least_scale_ = 1.0;  // of all; of any group or template
};

}  // namespace emulsion
