// Policies compared by their final plans of networks, for targets and threads that are named.
#include <gtest/gtest.h>

#include "frontend/graph/pass.h"
#include "frontend/lower/analyze_network.h"
#include "frontend/lower/network.h"
#include "fusion/planner.h"
#include "fusion/policy.h"
#include "tests/lower/cpu_targets.h"
#include "tests/lower/random_network.h"
#include "tests/lower/zoo_graph.h"

namespace emulsion::test {

namespace {

// No policy's plan is cheaper than that of the search.
void expect_search_least(const Graph &graph, const std::string &name) {
    const PlanOptions all[] = {{.target = kAvx2Target, .threads = 1},
                               {.target = kAvx2Target, .threads = 2},
                               {.target = kBaselineTarget, .threads = 8},
                               {.target = "amdgpu-gfx906"}};
    for (const PlanOptions &options : all) {
        PlannerOptions planner;
        planner.machine = machine_for(options);
        const OperatorGraph operators =
            analyze_network(graph, planner.machine, options.exact).default_operators();
        const double least = make_plan(operators, planner).predicted_cycles();
        for (const Policy *rival : all_policies()) {
            planner.policy = rival->name;
            EXPECT_LE(least, make_plan(operators, planner).predicted_cycles() * (1 + 1e-9))
                << name << ", " << rival->name << ", " << options.target << ", " << options.threads
                << " threads";
        }
    }
}

}  // namespace

TEST(ComparedNetworks, NoPolicysPlanOfASmallNetworkOfTheZooIsCheaperThanTheSearchs) {
    for (const char *name :
         {"tiny_plain", "tiny_concat", "tiny_residual", "tiny_attention", "tiny_squeeze_excite"}) {
        expect_search_least(run_passes(zoo_graph(name)), name);
    }
}

TEST(ComparedNetworks, NoPolicysPlanOfARandomNetworkIsCheaperThanTheSearchs) {
    for (uint64_t seed = 1; seed <= 40; seed++) {
        expect_search_least(random_network(seed).graph, "seed " + std::to_string(seed));
    }
}

}  // namespace emulsion::test
