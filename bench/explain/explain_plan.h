// What there is to say of a plan by itself. Of a network's more is known: explain_network.h.
#pragma once

#include <string>
#include <vector>

#include "bench/explain/explanation.h"
#include "fusion/machine.h"
#include "fusion/operator_choice.h"
#include "fusion/operator_graph.h"
#include "fusion/planner.h"

namespace emulsion {

// What people call what a plan is of.
struct PlanNames {
    struct Tensor {
        std::string name, type;  // "f32"
    };
    std::vector<std::string> operators;  // of the graph, in its order
    std::vector<Tensor> values;
};

// Those that the graph has itself; of element types, their bytes.
PlanNames own_names(const OperatorGraph &graph);

// `plan` is of `graph`, for `machine`; `choices` are of the operators that had some.
Explanation explain_plan(const OperatorGraph &graph, const Plan &plan, const Machine &machine,
                         const PlanNames &names, const std::vector<OperatorChoice> &choices = {});

// What was made of a problem. `names` are of planned.decided.graph.
Explanation explain_problem(const Problem &problem, const PlannedProblem &planned,
                            const Machine &machine, const PlanNames &names);

}  // namespace emulsion
