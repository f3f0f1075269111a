// Policies compared by their final plans: views, layouts and conversions included.
#include <gtest/gtest.h>

#include "fusion/chips.h"
#include "fusion/planner.h"
#include "fusion/policy.h"
#include "tests/fusion/graphs.h"

namespace emulsion {

namespace {

constexpr double kRoundingOfComparedPlans = 1e-9;

PlannerOptions compared_options(const Machine &machine, const std::string &policy) {
    PlannerOptions options;
    options.policy = policy;
    options.machine = machine;
    return options;
}

std::vector<Machine> compared_machines() {
    return {CpuMachine{.threads = 1}, CpuMachine{.threads = 2, .l2_bytes = 1 << 18},
            CpuMachine{.threads = 8}, machine_of(find_chip("gfx906"))};
}

}  // namespace

TEST(ComparedPlans, NoPolicysPlanIsCheaperThanTheSearchs) {
    int with_views = 0;
    for (uint64_t seed = 1; seed <= 120; seed++) {
        const OperatorGraph graph = test::random_graph(seed, 2 + static_cast<int>(seed % 24));
        for (const Machine &machine : compared_machines()) {
            const Plan plan = make_plan(graph, compared_options(machine, "gao2025"));
            with_views += plan.launched_groups() < static_cast<int>(plan.groups.size()) ? 1 : 0;
            for (const Policy *rival : all_policies()) {
                const Plan other = make_plan(graph, compared_options(machine, rival->name));
                EXPECT_LE(plan.predicted_cycles(),
                          other.predicted_cycles() * (1 + kRoundingOfComparedPlans))
                    << rival->name << ", seed " << seed << ", " << machine.cores() << " cores";
            }
        }
    }
    EXPECT_GT(with_views, 50);
}

}  // namespace emulsion
