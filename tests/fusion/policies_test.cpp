// What the policies that ask the cost model make of small graphs.

#include <gtest/gtest.h>

#include "fusion/cost/analytic_cost.h"
#include "fusion/planner.h"
#include "fusion/policy.h"
#include "tests/fusion/graphs.h"

namespace emulsion {

namespace {

using test::GraphMaker;
using test::random_graph;

std::string groups(const OperatorGraph &graph, const std::string &policy) {
    // No room for panels.
    const AnalyticCost cost(graph, CpuMachine{.threads = 2, .l2_bytes = 512, .l3_bytes = 512});
    const std::vector<bool> free;
    std::string text;
    for (const std::vector<int> &group :
         find_policy(policy).partition({graph, cost, free, {}}).groups) {
        text += text.empty() ? "" : " | ";
        for (const int member : group) {
            text += (member == group.front() ? "" : " ") +
                    graph.operators[static_cast<size_t>(member)].name;
        }
    }
    return text;
}

}  // namespace

TEST(Dnnfusion, GrowsFromAnElementWiseSeedForwardAndBackward) {
    GraphMaker m;
    m.output(m.relu("clip", m.relu("relu", m.conv("conv", m.input()))));
    EXPECT_EQ(groups(m.graph, "dnnfusion"), "conv relu clip");
}

TEST(Dnnfusion, NeverFusesManyToManyIntoManyToMany) {
    GraphMaker m;
    m.output(m.relu("relu", m.conv("second", m.conv("first", m.input()))));
    EXPECT_EQ(groups(m.graph, "dnnfusion"), "first | second relu");
}

TEST(Priority, FusesWhatSavesTheMostFirstAndStopsWhereNothingDoes) {
    GraphMaker m;
    const int large = m.conv("large", m.input({1, 8, 64, 64}));
    const int sum = m.add("add", large, m.conv("other", m.input({1, 8, 64, 64})));
    m.output(m.relu("relu", sum));
    EXPECT_EQ(groups(m.graph, "priority"), "other | large add relu");
}

TEST(Policies, AValueThatIsAnOutputIsStoredByAll) {
    for (const Policy *policy : all_policies()) {
        GraphMaker m;
        const int y = m.conv("conv", m.input());
        m.output(y);
        m.output(m.relu("relu", y));
        EXPECT_EQ(groups(m.graph, policy->name), "conv | relu") << policy->name;
    }
}

TEST(Policies, TellHowMuchLongerOrLessLongItWouldTakeTogether) {
    int less = 0;
    for (uint64_t seed = 1; seed <= 20; seed++) {
        const OperatorGraph graph = random_graph(seed, 12);
        for (const Policy *policy : all_policies()) {
            for (const Refusal &refusal : make_plan(graph, {}, *policy).refusals) {
                EXPECT_EQ(std::string::npos, refusal.reason.find(" -")) << refusal.reason;
                less += refusal.reason.ends_with(" % less") ? 1 : 0;
            }
        }
    }
    EXPECT_LT(0, less) << "policy none keeps everything apart";
}

}  // namespace emulsion
