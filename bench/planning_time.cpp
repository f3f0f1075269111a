#include "bench/planning_time.h"

#include <chrono>

#include <fmt/format.h>

#include "backend/compiler.h"
#include "backend/seconds_since.h"
#include "frontend/lower/analyze_network.h"
#include "frontend/lower/load_network.h"
#include "fusion/error.h"
#include "fusion/planner.h"
#include "fusion/policy.h"

namespace emulsion {

Json time_planning(const std::string &model, const std::vector<std::string> &policies,
                   const CompileOptions &options) {
    const Graph graph = load_network(model, load_options(options));
    const Machine machine = machine_for(options.plan);
    const auto start = std::chrono::steady_clock::now();
    const Problem problem = naming_file(
        model, [&] { return analyze_network(graph, machine, options.plan.exact).problem; });
    const double analysis = seconds_since(start);
    fmt::print("{}: {} operators, loop nests in {:.3f} s\n", model, problem.operators.size(),
               analysis);
    Json json = {{"model", model},
                 {"operators", problem.operators.size()},
                 {"analysis_seconds", analysis},
                 {"policies", Json::object()}};
    for (const std::string &policy : policies) {
        PlannerOptions planner;
        planner.policy = policy;
        planner.machine = machine;
        planner.search.budget = options.plan.search_budget;
        const auto begin = std::chrono::steady_clock::now();
        const Plan plan = naming_file(
            model, [&] { return make_plan(problem, planner, find_policy(policy)).plan; });
        const double seconds = seconds_since(begin);
        const SearchReport &search = plan.search;
        fmt::print("  {:<11}{:>8.3f} s{:>8} groups{:>11.3f} ms predicted", policy, seconds,
                   plan.launched_groups(), machine.milliseconds(plan.predicted_cycles()));
        if (search.states > 0) {
            fmt::print(", {} after {} operators and {} groups ({} bounded, {} attached)",
                       search.proven_optimal ? "proven least without groups across views"
                                             : "not proven least",
                       search.states, search.groups, search.bounded, search.attached);
            if (search.duplication_tries > 0) {
                fmt::print(", {} of {} tries of duplication stayed", plan.duplications.size(),
                           search.duplication_tries);
            }
            if (search.layouts > 1) {
                fmt::print(", best of {} ways for values to lie", search.layouts);
            }
        }
        fmt::print("\n");
        json["policies"][policy] = {{"seconds", seconds},
                                    {"groups", plan.launched_groups()},
                                    {"predicted_ms", machine.milliseconds(plan.predicted_cycles())},
                                    {"proven_optimal", search.proven_optimal},
                                    {"search_states", search.states},
                                    {"search_groups", search.groups},
                                    {"duplication_tries", search.duplication_tries},
                                    {"layouts", search.layouts},
                                    {"duplications", plan.duplications.size()}};
    }
    return json;
}

}  // namespace emulsion
