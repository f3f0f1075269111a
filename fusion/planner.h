// From an operator graph to a plan: the policy's groups, checked for legality, with a layout for every value
// and a place for every Func. From a problem, the implementation of every operator as well.
#pragma once

#include <map>
#include <memory>

#include "fusion/group_cost.h"
#include "fusion/machine.h"
#include "fusion/operator_graph.h"
#include "fusion/plan.h"
#include "fusion/problem.h"
#include "fusion/search/alternatives.h"
#include "fusion/search/search.h"

namespace emulsion {

struct Policy;

struct PlannerOptions {
    std::string policy = "gao2025";
    Machine machine;
    // Layouts of inputs, outputs and intermediates are the planner's (a network); false: they are the
    // caller's (a foreign pipeline), and every value keeps the order it has.
    bool owns_layouts = true;
    SearchOptions search;
    // What plans are judged by; null: the analytic model of `machine`.
    std::shared_ptr<CostSource> costs{};
};

// What plans are judged by with these options.
std::shared_ptr<CostSource> costs_of(const PlannerOptions &options);

// Throws Error for an unknown policy and for a search without a budget.
Plan make_plan(const OperatorGraph &graph, const PlannerOptions &options);
// With a policy that has no file in fusion/policies/, for experiments; `options.policy` is not read.
Plan make_plan(const OperatorGraph &graph, const PlannerOptions &options, const Policy &policy);

struct PlannedProblem {
    Decisions decisions;
    DecidedGraph decided;  // what the plan is of
    Plan plan;
    AlonePrices alone;  // of operators that have a choice
};

// `forced`: operators of the problem, and which of their alternatives they take.
PlannedProblem make_plan(const Problem &problem, const PlannerOptions &options,
                         const Policy &policy, const std::map<int, int> &forced = {});

}  // namespace emulsion
