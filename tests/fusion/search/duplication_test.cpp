#include "fusion/search/duplication.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <iostream>
#include <limits>
#include <set>

#include "fusion/cost/analytic_cost.h"
#include "fusion/legality.h"
#include "tests/fusion/graphs.h"

namespace emulsion {

namespace {

using test::GraphMaker;
using test::HashedCost;

// A byte costs more than any arithmetic; the reverse.
const CpuMachine kMemoryIsDear = {
    .private_bytes_per_cycle = 0.1, .shared_bytes_per_cycle = 0.01, .memory_bytes_per_cycle = 0.01};
const CpuMachine kArithmeticIsDear = {.private_bytes_per_cycle = 1e6,
                                      .shared_bytes_per_cycle = 1e6,
                                      .memory_bytes_per_cycle = 1e6,
                                      .operations_per_cycle = 0.01,
                                      .nest_slowdown = 100.0,
                                      .task_cycles = 0.0,
                                      .region_cycles = 0.0,
                                      .launch_cycles = 0.0};

std::string names(const OperatorGraph &graph, const std::vector<std::vector<int>> &groups) {
    std::string text;
    for (const std::vector<int> &group : groups) {
        text += text.empty() ? "" : " | ";
        for (const int member : group) {
            text += (member == group.front() ? "" : " ") +
                    graph.operators[static_cast<size_t>(member)].name;
        }
    }
    return text;
}

// The search's groups, with duplication.
struct Result {
    SearchResult before, after;
    std::vector<Duplication> duplications;
};

Result search(const OperatorGraph &graph, const GroupCost &cost,
              const std::vector<bool> &alone = {}, const SearchOptions &options = {}) {
    Result result;
    result.before = search_groups(graph, cost, alone, options);
    result.after = result.before;
    result.duplications = duplicate(graph, cost, alone, options.duplication_tries, result.after);
    return result;
}

std::string planned(const OperatorGraph &graph, const Machine &machine,
                    const std::vector<bool> &alone = {}) {
    return names(graph, search(graph, AnalyticCost(graph, machine), alone).after.groups);
}

// The cheapest group that stores `root` where `stored` (a set of operators) are stored: what it reads of
// these it may compute as well.
double cheapest_group(const OperatorGraph &graph, const GroupCost &cost, size_t root,
                      size_t stored) {
    const std::vector<int> producers = graph.producers();
    double best = std::numeric_limits<double>::infinity();
    for (size_t again = stored;; again = (again - 1) & stored) {
        std::set<int> group{static_cast<int>(root)};
        size_t copied = 0;
        for (auto member = group.rbegin(); member != group.rend(); ++member) {
            const auto &choice = graph.operators[static_cast<size_t>(*member)].implementation;
            for (const Operand &operand : choice.operands) {
                const int producer = producers[static_cast<size_t>(operand.value)];
                const size_t bit = producer < 0 ? 0 : size_t{1} << producer;
                if (producer >= 0 && (((stored & ~again) & bit) == 0)) {
                    group.insert(producer);
                    copied |= bit & stored;
                }
            }
        }
        if (copied == again) {
            const GroupPrice price = cost.price({group.begin(), group.end()});
            best = price.refused.empty() ? std::min(best, price.cycles) : best;
        }
        if (again == 0) {
            return best;
        }
    }
}

// The cheapest of all plans with duplication, that of operators with loops of their own included: every
// operator is stored or not, and computed in every group that reads it and does not read it from memory.
double cheapest_with_duplication(const OperatorGraph &graph, const GroupCost &cost) {
    const std::vector<std::vector<int>> consumers = graph.consumers();
    const size_t count = graph.operators.size();
    size_t needed = 0;
    for (size_t op = 0; op < count; op++) {
        const auto result = static_cast<size_t>(graph.operators[op].result);
        const bool stored = graph.values[result].is_output || consumers[result].empty();
        needed |= stored ? size_t{1} << op : 0;
    }
    double best = std::numeric_limits<double>::infinity();
    for (size_t stored = 0; stored < size_t{1} << count; stored++) {
        double cycles = (stored & needed) == needed ? 0.0 : std::numeric_limits<double>::infinity();
        for (size_t root = 0; root < count && cycles < best; root++) {
            if (((stored >> root) & 1) != 0) {
                cycles += cheapest_group(graph, cost, root, stored & ~(size_t{1} << root));
            }
        }
        best = std::min(best, cycles);
    }
    return best;
}

double cycles_of(const GroupCost &cost, const std::vector<std::vector<int>> &groups) {
    double cycles = 0.0;
    for (const std::vector<int> &group : groups) {
        const GroupPrice price = cost.price(group);
        EXPECT_EQ("", price.refused);
        cycles += price.cycles;
    }
    return cycles;
}

// Returns whether anything was duplicated.
bool expect_no_dearer(const OperatorGraph &graph, const GroupCost &cost,
                      const SearchOptions &options) {
    const Result result = search(graph, cost, {}, options);
    const double cycles = result.after.report.cycles;
    EXPECT_LE(result.after.report.duplication_tries, options.duplication_tries);
    EXPECT_LE(cycles, result.before.report.cycles);
    EXPECT_NEAR(cycles, cycles_of(cost, result.after.groups), 1e-9 * cycles);
    EXPECT_EQ("", test::wrong_with(graph, result.after.groups));
    const std::vector<bool> duplicated = duplicated_operators(graph, result.after.groups);
    std::vector<bool> listed(duplicated.size(), false);
    double won = 0.0;
    for (const Duplication &duplication : result.duplications) {
        won += duplication.cycles_won;
        for (const int op : duplication.operators) {
            listed[static_cast<size_t>(op)] = true;
        }
    }
    EXPECT_EQ(duplicated, listed);
    EXPECT_LE(won, result.before.report.cycles - cycles + 1e-9 * cycles);
    for (const std::vector<int> &group : result.after.groups) {
        EXPECT_EQ("", illegal_because(graph, graph.consumers(), group, duplicated));
    }
    return !result.duplications.empty();
}

}  // namespace

TEST(Duplication, AnUpsamplingIsComputedByBothConvolutionsWhereMemoryIsDear) {
    GraphMaker m;
    const int small = m.conv("conv", m.input({1, 8, 16, 16}));
    const int large = m.op("up", MappingType::OneToMany, {small}, {1, 8, 32, 32});
    m.output(m.conv("a", large));
    m.output(m.conv("b", large));
    EXPECT_EQ(planned(m.graph, kMemoryIsDear), "conv | up a | up b");
    EXPECT_EQ(planned(m.graph, kArithmeticIsDear), "conv up | a | b");
}

TEST(Duplication, AllThatLeadsToAValueIsDuplicatedWithIt) {
    GraphMaker m;
    const int x = m.relu("scale", m.relu("relu", m.input({1, 8, 32, 32})));
    m.output(m.conv("a", x));
    m.output(m.conv("b", x));
    const Result result = search(m.graph, AnalyticCost(m.graph, kMemoryIsDear));
    EXPECT_EQ(names(m.graph, result.after.groups), "relu scale a | relu scale b");
    ASSERT_EQ(result.duplications.size(), 1U);
    EXPECT_EQ(result.duplications[0].operators, (std::vector<int>{0, 1}));
    EXPECT_GT(result.duplications[0].cycles_won, 0.0);
}

TEST(Duplication, AnOutputIsStoredOnceAndComputedAgainWhereThatReadsLess) {
    GraphMaker m;
    const int large = m.op("up", MappingType::OneToMany, {m.input({1, 8, 8, 8})}, {1, 8, 32, 32});
    m.output(large);
    m.output(m.conv("a", large));
    EXPECT_EQ(planned(m.graph, kMemoryIsDear), "up | up a");
    EXPECT_EQ(planned(m.graph, kArithmeticIsDear), "up | a");
}

TEST(Duplication, ReductionsAreComputedOnce) {
    GraphMaker m;
    const int x = m.conv("conv", m.input({1, 8, 32, 32}));
    m.output(m.relu("a", x));
    m.output(m.relu("b", x));
    EXPECT_EQ(planned(m.graph, kMemoryIsDear), "conv | a | b");
}

TEST(Duplication, IsNotTriedWhereTheValueIsAsLargeAsWhatItIsMadeOf) {
    GraphMaker m;
    const int x = m.relu("relu", m.conv("conv", m.input({1, 8, 32, 32})));
    m.output(m.conv("a", x));
    m.output(m.conv("b", x));
    const Result result = search(m.graph, AnalyticCost(m.graph, kMemoryIsDear));
    EXPECT_EQ(result.after.report.duplication_tries, 0);
    EXPECT_EQ(names(m.graph, result.after.groups), "conv relu | a | b");
}

TEST(Duplication, ReadersThatAreAloneReadWhatIsStored) {
    GraphMaker m;
    const int large = m.op("up", MappingType::OneToMany, {m.input({1, 8, 8, 8})}, {1, 8, 32, 32});
    m.output(m.relu("view", large));
    m.output(m.conv("a", large));
    EXPECT_EQ(planned(m.graph, kMemoryIsDear, {false, true}), "up | view | up a");
}

TEST(Duplication, NeverMakesThePlanDearer) {
    int plans = 0, duplicated = 0;
    for (uint64_t seed = 1; seed <= 300; seed++) {
        SCOPED_TRACE(seed);
        const OperatorGraph graph = test::random_graph(seed, 2 + static_cast<int>(seed % 30));
        for (const CpuMachine &machine :
             {CpuMachine{.threads = 2, .l2_bytes = 1 << 18}, kMemoryIsDear, kArithmeticIsDear}) {
            plans++;
            const AnalyticCost cost(graph, machine);
            duplicated += expect_no_dearer(graph, cost, {.budget = 5000}) ? 1 : 0;
        }
        expect_no_dearer(graph, HashedCost(seed), {.budget = 5000, .duplication_tries = 20});
    }
    std::cout << "of " << plans << " plans " << duplicated << " duplicate\n";
    EXPECT_GT(duplicated, plans / 20);
}

TEST(Duplication, MostlyReachesTheCheapestOfAllPlans) {
    int reached = 0, graphs = 0, duplicated = 0;
    for (uint64_t seed = 1; seed <= 200; seed++) {
        SCOPED_TRACE(seed);
        const OperatorGraph graph = test::random_graph(seed, 2 + static_cast<int>(seed % 7));
        const AnalyticCost cost(graph, kMemoryIsDear);
        const Result result = search(graph, cost);
        const double cycles = result.after.report.cycles;
        const double least = cheapest_with_duplication(graph, cost);
        EXPECT_GE(cycles, least * (1 - 1e-9));
        graphs++;
        duplicated += result.duplications.empty() ? 0 : 1;
        reached += cycles <= least * (1 + 1e-9) ? 1 : 0;
    }
    std::cout << "of " << graphs << " plans " << duplicated << " duplicate, " << reached
              << " are the cheapest\n";
    EXPECT_GT(reached, graphs * 7 / 10);
}

TEST(Duplication, TriesAreCountedAndBounded) {
    GraphMaker m;
    for (int i = 0; i < 6; i++) {
        const std::string number = std::to_string(i);
        const int x = m.relu("relu" + number, m.input({1, 8, 32, 32}));
        m.output(m.conv("a" + number, x));
        m.output(m.conv("b" + number, x));
    }
    const AnalyticCost cost(m.graph, kMemoryIsDear);
    for (const int64_t most : {0, 2, 100}) {
        const Result result = search(m.graph, cost, {}, {.duplication_tries = most});
        EXPECT_EQ(result.after.report.duplication_tries, std::min<int64_t>(most, 6));
        EXPECT_EQ(static_cast<int64_t>(result.duplications.size()), std::min<int64_t>(most, 6));
        EXPECT_TRUE(result.after.report.proven_optimal);
    }
}

}  // namespace emulsion
