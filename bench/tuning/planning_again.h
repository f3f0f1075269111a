// Plans of a model that measured prices lead to.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "backend/compiler.h"
#include "backend/planned_model.h"
#include "fusion/cost/measured_costs.h"

namespace emulsion {

// By problem_key, milliseconds of a launch with the fastest loop nest that is known; 0: nobody has measured it.
using MeasuredTimes = std::function<double(const std::string &problem)>;

class PlanningAgain {
public:
    // From a plan that was made with `options`, on; both outlive this.
    PlanningAgain(const PlannedModel &first, const CompileOptions &options);

    // The model planned with these prices in the place of the analytic model's, which are kept for what nobody has measured
    // (MeasuredCosts). Null where that is one of the plans so far: the same groups with the same implementations.
    const PlannedModel *next(const MeasuredTimes &times);

    // How many plans there are, the first included.
    size_t count() const { return 1 + others_.size(); }

private:
    struct Group {
        std::string problem, key, template_name;
        double predicted = 0.0;  // cycles, by the analytic model
    };
    void add(const PlannedNetwork &network, const MeasuredCosts *costs);
    std::shared_ptr<MeasuredCosts> costs_with(const MeasuredTimes &times) const;
    bool was_planned(const PlannedNetwork &network) const;

    const PlannedModel &first_;
    const CompileOptions &options_;
    std::vector<std::unique_ptr<PlannedModel>> others_;
    std::vector<std::vector<Group>> groups_;  // by plan, of what is launched
};

}  // namespace emulsion
