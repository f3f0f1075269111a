#include "fusion/search/search.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <iostream>
#include <limits>
#include <random>

#include "fusion/cost/analytic_cost.h"
#include "fusion/error.h"
#include "fusion/legality.h"
#include "fusion/policy.h"
#include "tests/fusion/graphs.h"

namespace emulsion {

namespace {

using test::GraphMaker;
using test::HashedCost;

// Every operator is stored or not: what is not stored is computed in the group of all its readers. The
// cheapest of all plans that are legal then, group by group.
double cheapest_of_all(const OperatorGraph &graph, const GroupCost &cost) {
    const auto consumers = graph.consumers();
    const size_t count = graph.operators.size();
    double best = std::numeric_limits<double>::infinity();
    for (size_t stored = 0; stored < size_t{1} << count; stored++) {
        std::vector<int> root(count, -1);
        bool legal = true;
        for (size_t op = count; op-- > 0 && legal;) {
            if (((stored >> op) & 1) != 0) {
                root[op] = static_cast<int>(op);
                continue;
            }
            const auto &readers = consumers[static_cast<size_t>(graph.operators[op].result)];
            legal = !readers.empty();
            for (const int reader : readers) {
                root[op] = root[static_cast<size_t>(reader)];
                legal = legal && root[op] == root[static_cast<size_t>(readers.front())];
            }
        }
        std::vector<std::vector<int>> groups(count);
        for (size_t op = 0; op < count && legal; op++) {
            groups[static_cast<size_t>(root[op])].push_back(static_cast<int>(op));
        }
        double cycles = 0.0;
        for (size_t g = 0; g < count && legal; g++) {
            if (!groups[g].empty()) {
                legal = illegal_because(graph, consumers, groups[g]).empty();
                const GroupPrice price = legal ? cost.price(groups[g]) : GroupPrice{};
                legal = legal && price.refused.empty();
                cycles += price.cycles;
            }
        }
        best = legal ? std::min(best, cycles) : best;
    }
    return best;
}

double cycles_of_partition(const GroupCost &cost, const std::vector<std::vector<int>> &groups) {
    double cycles = 0.0;
    for (const std::vector<int> &group : groups) {
        const GroupPrice price = cost.price(group);
        cycles += price.refused.empty() ? price.cycles : std::numeric_limits<double>::infinity();
    }
    return cycles;
}

int from_environment(const char *name, int otherwise) {
    const char *text = std::getenv(name);
    return text == nullptr ? otherwise : static_cast<int>(std::strtol(text, nullptr, 10));
}

}  // namespace

TEST(Search, ReachesTheCheapestPlanUnderAnyCost) {
    for (uint64_t seed = 1; seed <= 1000; seed++) {
        const OperatorGraph graph = test::random_graph(seed, 2 + static_cast<int>(seed % 9));
        const HashedCost cost(seed);
        const SearchResult found =
            search_groups(graph, cost, {}, {.bound = false, .attach = false});
        ASSERT_DOUBLE_EQ(cheapest_of_all(graph, cost), found.report.cycles) << "seed " << seed;
        EXPECT_DOUBLE_EQ(cycles_of_partition(cost, found.groups), found.report.cycles)
            << "seed " << seed;
        EXPECT_TRUE(found.report.proven_optimal);
        EXPECT_EQ(found.report.states, static_cast<int64_t>(graph.operators.size()));
    }
}

TEST(Search, ReachesTheCheapestPlanUnderTheAnalyticCostWithEveryPruning) {
    int64_t bounded = 0, attached = 0;
    for (uint64_t seed = 1; seed <= 1000; seed++) {
        const OperatorGraph graph = test::random_graph(seed, 2 + static_cast<int>(seed % 9));
        const AnalyticCost cost(graph, CpuMachine{.threads = 2, .l2_bytes = 1 << 18});
        const SearchResult found = search_groups(graph, cost, {});
        ASSERT_NEAR(cheapest_of_all(graph, cost), found.report.cycles, 1e-9 * found.report.cycles)
            << "seed " << seed;
        bounded += found.report.bounded;
        attached += found.report.attached;
    }
    EXPECT_GT(bounded, 0);
    EXPECT_GT(attached, 0);
}

TEST(Search, IsNeverWorseThanAnotherPolicy) {
    const int graphs = from_environment("EMULSION_SEARCH_GRAPHS", 300);
    std::map<std::string, int> better;
    int proven = 0;
    for (int seed = 1; seed <= graphs; seed++) {
        const OperatorGraph graph = test::random_graph(static_cast<uint64_t>(seed), 2 + seed % 59);
        const AnalyticCost cost(graph, CpuMachine{.threads = 2, .l2_bytes = 1 << 18});
        const std::vector<bool> free;
        const PolicyInput input{graph, cost, free, {.budget = 20'000}};
        const Partition found = find_policy("gao2025").partition(input);
        const double cycles = cycles_of_partition(cost, found.groups);
        proven += found.report.proven_optimal ? 1 : 0;
        const std::vector<bool> duplicated = duplicated_operators(graph, found.groups);
        for (const std::vector<int> &group : found.groups) {
            EXPECT_EQ("", illegal_because(graph, graph.consumers(), group, duplicated))
                << "seed " << seed;
        }
        EXPECT_EQ("", test::wrong_with(graph, found.groups)) << "seed " << seed;
        for (const Policy *rival : all_policies()) {
            const double other = cycles_of_partition(cost, rival->partition(input).groups);
            EXPECT_LE(cycles, other * (1 + 1e-12)) << rival->name << ", seed " << seed;
            better[rival->name] += cycles < other * (1 - 1e-12) ? 1 : 0;
        }
    }
    std::cout << graphs << " graphs: proven optimal " << proven;
    for (const auto &[name, count] : better) {
        std::cout << ", better than " << name << " " << count;
    }
    std::cout << "\n";
    EXPECT_GT(proven, graphs / 2);
    EXPECT_GT(better["tvm"], graphs / 4);
}

// Only what makes no more than it reads belongs to what it reads without a question: the operand of a cast to
// a wider type, or of a concatenation with itself, may be the cheaper one to store.
TEST(Search, AsksWhereAnElementWiseOperatorMakesMoreThanItReads) {
    const CpuMachine machine{.threads = 2, .l2_bytes = 1 << 12};
    for (const bool widens : {false, true}) {
        GraphMaker m;
        const int y = m.conv("conv", m.input());
        const int cast = m.relu("cast", y);
        m.graph.values[static_cast<size_t>(cast)].element_bytes = widens ? 8 : 4;
        m.output(m.conv("reader", cast));
        const SearchResult found = search_groups(m.graph, AnalyticCost(m.graph, machine), {});
        EXPECT_EQ(found.report.attached, widens ? 0 : 1);
    }
    GraphMaker m;
    const int y = m.conv("conv", m.input());
    m.output(m.conv("reader", m.concat("twice", {y, y}, 1)));
    EXPECT_EQ(search_groups(m.graph, AnalyticCost(m.graph, machine), {}).report.attached, 0);
}

TEST(Search, SaysThatItsBudgetEnded) {
    const OperatorGraph graph = test::random_graph(7, 30);
    const HashedCost cost(7);
    const SearchResult found = search_groups(graph, cost, {}, {.budget = 5});
    EXPECT_FALSE(found.report.proven_optimal);
    EXPECT_DOUBLE_EQ(cycles_of_partition(cost, found.groups), found.report.cycles);
    try {
        search_groups(graph, cost, {}, {.budget = 0});
        FAIL() << "a budget of 0 was taken";
    } catch (const Error &e) {
        EXPECT_STREQ("the search budget is 0; it must be at least 1 group", e.what());
    }
}

TEST(Search, LeavesAloneWhatNeedsNoKernel) {
    GraphMaker m;
    const int a = m.relu("a", m.input());
    m.output(m.relu("c", m.relu("b", a)));
    const AnalyticCost cost(m.graph, {});
    const SearchResult found = search_groups(m.graph, cost, {false, true, false});
    EXPECT_EQ(found.groups, (std::vector<std::vector<int>>{{0}, {1}, {2}}));
    EXPECT_EQ(search_groups(m.graph, cost, {}).groups, (std::vector<std::vector<int>>{{0, 1, 2}}));
}

TEST(Search, GivesTheSameAnswerTwice) {
    for (uint64_t seed = 1; seed <= 20; seed++) {
        const OperatorGraph graph = test::random_graph(seed, 40);
        const AnalyticCost a(graph, {}), b(graph, {});
        EXPECT_EQ(search_groups(graph, a, {}).groups, search_groups(graph, b, {}).groups);
    }
}

}  // namespace emulsion
