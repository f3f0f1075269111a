#include "fusion/cost/analytic_cost.h"

#include <gtest/gtest.h>

#include "tests/fusion/graphs.h"

namespace emulsion {

namespace {

double least_cycles(const AnalyticCost &cost, const std::vector<int> &members) {
    double cycles = 0.0;
    for (const int member : members) {
        cycles += cost.least_cycles(member);
    }
    return cycles;
}

}  // namespace

// What the search's bound relies on.
TEST(AnalyticCost, NoGroupCostsLessThanTheBoundsOfItsMembers) {
    int64_t groups = 0, bounded = 0;
    for (uint64_t seed = 1; seed <= 400; seed++) {
        const OperatorGraph graph = test::random_graph(seed, 11);
        const AnalyticCost cost(graph, CpuMachine{.threads = 2, .l2_bytes = 1 << 18});
        test::for_each_legal_group(graph, 11, [&](const std::vector<int> &members) {
            const GroupPrice price = cost.price(members);
            const double least = least_cycles(cost, members);
            if (price.refused.empty()) {
                EXPECT_GE(price.cycles * (1 + 1e-12), least) << "seed " << seed;
                bounded += least > 0.0 ? 1 : 0;
                groups++;
            }
        });
    }
    EXPECT_GT(groups, 4000);
    EXPECT_GT(bounded, groups / 2);
}

// A pool of 7 by 7 pixels leaves the last ones uncomputed, whoever makes them.
TEST(AnalyticCost, AnOperatorWhoseReadersReaderSkipsAPartHasNoBound) {
    test::GraphMaker m;
    const int x = m.relu("first", m.input({1, 4, 7, 7}));
    const int y = m.relu("second", x);
    const int z = m.op("pool", MappingType::ManyToMany, {y}, {1, 4, 3, 3});
    for (const size_t axis : {2, 3}) {
        m.last().operands[0].footprint.axes[axis].window = 2;
        m.last().operands[0].footprint.axes[axis].stride = 2;
    }
    m.output(m.relu("last", z));
    const AnalyticCost cost(m.graph, {});
    EXPECT_EQ(cost.least_cycles(0), 0.0);
    EXPECT_EQ(cost.least_cycles(1), 0.0);
    EXPECT_GT(cost.least_cycles(2), 0.0);
    EXPECT_GT(cost.least_cycles(3), 0.0);
}

}  // namespace emulsion
