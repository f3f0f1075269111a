// Every group that legality allows and that has a placement lowers, and computes what its operators compute
// one by one: random partitions of random networks into such groups, the less obvious the better.
#include <Halide.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <iostream>
#include <random>
#include <set>

#include "fusion/legality.h"
#include "fusion/policy.h"
#include "tests/lower/execution.h"
#include "tests/lower/network_maker.h"
#include "tests/lower/random_network.h"

namespace emulsion::test {

namespace {

using Groups = std::vector<std::vector<int>>;

// Machines on which other placements are the cheapest ones: panels, whole values, recomputation.
const MachineConstants kMachines[] = {
    {},
    {{"launch_cycles", 1e9}, {"shared_bytes_per_cycle", 0.01}, {"memory_bytes_per_cycle", 0.01}},
    {{"launch_cycles", 0.0}, {"nest_slowdown", 100.0}, {"operations_per_cycle", 0.01}},
    {{"l2_bytes", 1 << 12}}};

// Each operator is stored or, three times in four, computed with all its readers, where they are in one group.
Groups random_groups(const OperatorGraph &graph, std::mt19937_64 &engine) {
    const auto consumers = graph.consumers();
    std::vector<int> root(graph.operators.size());
    Groups groups(graph.operators.size());
    for (size_t op = root.size(); op-- > 0;) {
        const auto &readers = consumers[static_cast<size_t>(graph.operators[op].result)];
        const auto root_of = [&](int reader) { return root[static_cast<size_t>(reader)]; };
        root[op] = static_cast<int>(op);
        const bool joins =
            !readers.empty() && std::all_of(readers.begin(), readers.end(), [&](int reader) {
                return root_of(reader) == root_of(readers.front());
            });
        std::vector<int> group{static_cast<int>(op)};
        if (joins && engine() % 4 != 0) {
            const std::vector<int> &others = groups[static_cast<size_t>(root_of(readers.front()))];
            group.insert(group.end(), others.begin(), others.end());
            if (illegal_because(graph, consumers, group).empty()) {
                root[op] = root_of(readers.front());
            } else {
                group.resize(1);
            }
        }
        groups[static_cast<size_t>(root[op])] = group;
    }
    std::erase_if(groups, [](const auto &group) { return group.empty(); });
    return groups;
}

struct Tried {
    int groups = 0, of_several = 0, with_panels = 0, with_wholes = 0;
};

// Names of the operators of the groups, one line for each.
std::string names(const OperatorGraph &graph, const Groups &groups) {
    std::string text;
    for (const std::vector<int> &group : groups) {
        for (const int member : group) {
            text += graph.operators[static_cast<size_t>(member)].name + " ";
        }
        text += "\n";
    }
    return text;
}

// The policy that makes groups of what random_groups says and the cost model has a placement for. It is asked about other
// implementations, too: `partitions` gets the names of all that it makes.
Policy random_policy(uint64_t seed, std::set<std::string> &partitions, Tried &tried) {
    return {.name = "random",
            .description = "any groups",
            .partition =
                [seed, &partitions, &tried](const PolicyInput &input) {
                    std::mt19937_64 engine(seed);
                    Groups groups;
                    for (std::vector<int> &group : random_groups(input.graph, engine)) {
                        const GroupPrice price = input.cost.price(group);
                        if (!price.refused.empty()) {
                            for (const int member : group) {
                                groups.push_back({member});
                            }
                            continue;
                        }
                        tried.groups++;
                        tried.of_several += group.size() > 1 ? 1 : 0;
                        tried.with_panels += price.placement.panels.empty() ? 0 : 1;
                        tried.with_wholes += price.placement.wholes.empty() ? 0 : 1;
                        groups.push_back(std::move(group));
                    }
                    std::sort(groups.begin(), groups.end(),
                              [](const auto &a, const auto &b) { return a.back() < b.back(); });
                    partitions.insert(names(input.graph, groups));
                    return Partition{groups, {}, {}};
                },
            .absorbs_copies = seed % 2 == 0};
}

std::string names(const Plan &plan) {
    std::string text;
    for (const PlannedGroup &group : plan.groups) {
        if (group.kind == GroupKind::Convert) {
            continue;
        }
        for (const PlannedMember &member : group.members) {
            text += member.op + " ";
        }
        text += "\n";
    }
    return text;
}

void expect_groups_right(const RandomNetwork &random, uint64_t seed, Tried &tried) {
    const auto &[graph, inputs, reference] = random;
    PlanOptions options;
    options.threads = seed % 3 == 0 ? 1 : 4;
    options.checked = seed % 2 == 0;
    options.machine = kMachines[seed % std::size(kMachines)];
    std::set<std::string> partitions;
    const PlannedNetwork network =
        plan_network(graph, options, random_policy(seed, partitions, tried));
    EXPECT_TRUE(partitions.contains(names(network.plan))) << describe(network);
    EXPECT_TRUE(network.plan.refusals.empty());
    EXPECT_EQ("", run_and_compare(network, inputs, reference)) << describe(network);
}

// Random networks for `seconds`, and until `fewest` groups of several operators have been tried, but no more than
// `most`; or with EMULSION_TEST_SEED in the environment that seed alone. They are the same everywhere: new ones are
// the business of tools/fuzz-graphs, which shrinks what it finds.
void expect_random_groups_right(double seconds, int fewest, int most) {
    const char *replay = std::getenv("EMULSION_TEST_SEED");
    uint64_t seed = replay != nullptr ? std::strtoull(replay, nullptr, 10) : 1;
    const auto start = std::chrono::steady_clock::now();
    Tried tried;
    for (int cases = 0;; seed++, cases++) {
        const std::chrono::duration<double> passed = std::chrono::steady_clock::now() - start;
        const bool enough = passed.count() > seconds && tried.of_several >= fewest;
        if (testing::Test::HasFailure() || enough || cases == (replay != nullptr ? 1 : most)) {
            break;
        }
        SCOPED_TRACE("EMULSION_TEST_SEED=" + std::to_string(seed));
        try {
            expect_groups_right(random_network(seed), seed, tried);
        } catch (const std::exception &e) {
            ADD_FAILURE() << e.what() << dump(random_network(seed).graph);
        } catch (const Halide::Error &e) {
            ADD_FAILURE() << e.what() << dump(random_network(seed).graph);
        }
    }
    std::cout << tried.groups << " groups, " << tried.of_several << " of several operators, "
              << tried.with_panels << " with panels, " << tried.with_wholes
              << " with whole values; the last with EMULSION_TEST_SEED=" << seed - 1 << "\n";
}

}  // namespace

TEST(LegalGroups, LowerAndComputeWhatTheirOperatorsDo) { expect_random_groups_right(3.0, 1, 6); }

TEST(LegalGroups, ComputeAllOfAValueOfWhichAStrideLeavesTheLastColumn) {
    NetworkMaker m(1);
    const TensorId x = m.binary("Mul", m.input({2, 65, 5, 1}), m.input({2, 65, 5, 1}));
    const TensorId y = m.mat_mul(
        m.conv(x, {.channels = 12, .kernel = 1, .stride = 2, .bias = false}), m.input({1, 24}));
    const TensorId z = m.conv(y, {.channels = 5, .kernel = 3, .padding = 1, .bias = false});
    m.conv(z, {.channels = 7, .kernel = 1, .stride = 2, .dilation = 2});
    const Graph graph = m.finish_all({x});
    const TensorValues inputs = random_inputs(graph, 1);
    Tried tried;
    // The seed of groups that put the strided convolution and what it reads together.
    expect_groups_right({graph, inputs, evaluate_reference(graph, inputs)}, 379697546, tried);
}

TEST(SlowLegalGroups, LowerAndComputeWhatTheirOperatorsDo) {
    expect_random_groups_right(60.0, 20, 60);
}

}  // namespace emulsion::test
