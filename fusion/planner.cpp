#include "fusion/planner.h"

#include <map>
#include <set>

#include "fusion/build_plan.h"
#include "fusion/cost/analytic_cost.h"
#include "fusion/policy.h"
#include "fusion/search/alternatives.h"
#include "fusion/search/moves.h"

namespace emulsion {

namespace {

// Operators of all the plans that are made to find out how values should lie.
constexpr int64_t kMostPlannedOperators = 8000;
constexpr double kRoundingOfPlans = 1e-9;  // of sums in another order

// A plan, and what becomes of the graph's Transposes and Reshapes in it.
struct FoundPlan {
    Plan plan;
    MoveWays ways;
};

MoveWays first_ways(const OperatorGraph &graph, const Policy &policy) {
    return MoveWays(policy.absorbs_copies ? graph.operators.size() : 0, MoveWay::Free);
}

Plan plan_of(const OperatorGraph &graph, const PlannerOptions &options, const Policy &policy,
             const MoveWays &ways, CostSource &costs) {
    const LaidOutGraph laid_out(
        graph, layout_options(options.machine, options.owns_layouts, policy.absorbs_copies, ways));
    return build_plan(laid_out, options, policy, costs);
}

FoundPlan find_plan(const OperatorGraph &graph, const PlannerOptions &options, const Policy &policy,
                    CostSource &costs);

// The search sums the prices of groups and keeps views apart, while another policy may fuse through one. So its plan
// is held against theirs as a whole, with views, layouts and conversions: the cheapest stays.
void take_cheapest_of_policies(const OperatorGraph &graph, const PlannerOptions &options,
                               CostSource &costs, Plan &best) {
    for (const Policy *rival : all_policies()) {
        if (rival->name == best.policy) {
            continue;
        }
        Plan plan = find_plan(graph, options, *rival, costs).plan;
        if (plan.predicted_cycles() < best.predicted_cycles() * (1.0 - kRoundingOfPlans)) {
            plan.policy = best.policy;
            plan.search = best.search;
            plan.search.proven_optimal = false;
            plan.search.cycles = plan.predicted_cycles();
            best = std::move(plan);
        }
    }
}

FoundPlan find_plan(const OperatorGraph &graph, const PlannerOptions &options, const Policy &policy,
                    CostSource &costs) {
    FoundPlan found;
    double least = 0.0;
    int64_t priced = 0;
    const auto tries = kMostPlannedOperators / static_cast<int64_t>(graph.operators.size() + 1);
    found.ways = search_moves(graph, first_ways(graph, policy), policy.absorbs_copies ? tries : 1,
                              [&](const MoveWays &ways) {
                                  Plan plan = plan_of(graph, options, policy, ways, costs);
                                  const double cycles = plan.predicted_cycles();
                                  if (priced++ == 0 || cycles < least) {
                                      least = cycles;
                                      found.plan = std::move(plan);
                                  }
                                  return cycles;
                              });
    if (found.plan.search.states > 0) {
        found.plan.search.layouts = priced;
        take_cheapest_of_policies(graph, options, costs, found.plan);
    }
    return found;
}

// Prices of plans of a problem: with the ways of a plan of it, and for operators that it has not, as at first.
class DecisionPrices {
public:
    DecisionPrices(const Problem &problem, const PlannerOptions &options, const Policy &policy,
                   CostSource &costs)
        : problem_(problem), options_(options), policy_(policy), costs_(costs) {}

    // Operators take the ways that they have in a plan of `planned`; those that make a result for the caller the way that
    // the one has which makes it there.
    void take_ways(const OperatorGraph &planned, const MoveWays &ways) {
        for (size_t i = 0; i < ways.size(); i++) {
            const PlannerOperator &op = planned.operators[i];
            way_of_[op.name] = ways[i];
            if (ways[i] == MoveWay::Converted) {
                converted_.insert(planned.values[static_cast<size_t>(op.result)].name);
            }
        }
    }

    double operator()(const Decisions &decisions) const {
        const OperatorGraph graph = decide(problem_, decisions).graph;
        MoveWays ways = first_ways(graph, policy_);
        for (size_t i = 0; i < ways.size(); i++) {
            const PlannerOperator &op = graph.operators[i];
            if (converted_.count(graph.values[static_cast<size_t>(op.result)].name) != 0) {
                ways[i] = MoveWay::Converted;
            } else if (const auto known = way_of_.find(op.name); known != way_of_.end()) {
                ways[i] = known->second;
            }
        }
        return plan_of(graph, options_, policy_, ways, costs_).predicted_cycles();
    }

private:
    const Problem &problem_;
    const PlannerOptions &options_;
    const Policy &policy_;
    CostSource &costs_;
    std::map<std::string, MoveWay> way_of_;
    std::set<std::string> converted_;  // values
};

std::vector<PlannedImplementation> implementations_of(const Problem &problem,
                                                      const Decisions &decisions) {
    std::vector<PlannedImplementation> implementations;
    for (size_t i = 0; i < problem.operators.size(); i++) {
        if (const int choice = taken(decisions, i); choice != 0) {
            const ProblemOperator &op = problem.operators[i];
            implementations.push_back({op.name, op.alternatives[static_cast<size_t>(choice)].name});
        }
    }
    return implementations;
}

// Operators of all the plans that are made to find out how operators should be implemented.
constexpr int64_t kMostDecidedOperators = 8000;

}  // namespace

std::shared_ptr<CostSource> costs_of(const PlannerOptions &options) {
    return options.costs ? options.costs : std::make_shared<AnalyticCosts>(options.machine);
}

Plan make_plan(const OperatorGraph &graph, const PlannerOptions &options) {
    return make_plan(graph, options, find_policy(options.policy));
}

Plan make_plan(const OperatorGraph &graph, const PlannerOptions &options, const Policy &policy) {
    const std::shared_ptr<CostSource> costs = costs_of(options);
    return options.owns_layouts ? find_plan(graph, options, policy, *costs).plan
                                : plan_of(graph, options, policy, {}, *costs);
}

PlannedProblem make_plan(const Problem &problem, const PlannerOptions &options,
                         const Policy &policy, const std::map<int, int> &forced) {
    AlternativesSearch search{Decisions(problem.operators.size(), 0), {}, 1};
    for (const auto &[op, alternative] : forced) {
        search.start[static_cast<size_t>(op)] = alternative;
        search.fixed.insert(op);
    }
    PlannedProblem best{search.start, decide(problem, search.start), {}, {}};
    const std::shared_ptr<CostSource> source = costs_of(options);
    CostSource &costs = *source;
    FoundPlan first = find_plan(best.decided.graph, options, policy, costs);
    best.plan = std::move(first.plan);
    best.alone = alone_prices(problem, costs);
    search.tries = kMostDecidedOperators / static_cast<int64_t>(problem.operators.size() + 1);
    DecisionPrices prices(problem, options, policy, costs);
    prices.take_ways(best.decided.graph, first.ways);
    Decisions decisions = search_alternatives(problem, best.alone, search, prices);
    if (decisions != best.decisions) {
        DecidedGraph decided = decide(problem, decisions);
        Plan plan = find_plan(decided.graph, options, policy, costs).plan;
        if (plan.predicted_cycles() < best.plan.predicted_cycles()) {
            best.decisions = std::move(decisions);
            best.decided = std::move(decided);
            best.plan = std::move(plan);
        }
    }
    best.plan.implementations = implementations_of(problem, best.decisions);
    return best;
}

}  // namespace emulsion
