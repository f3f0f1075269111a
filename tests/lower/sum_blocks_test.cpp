// Sums that are made in blocks of channels, as those of Winograd's products are.
#include <gtest/gtest.h>

#include <cmath>

#include "frontend/lower/network.h"
#include "frontend/ops/operator.h"
#include "tests/lower/cpu_targets.h"
#include "tests/lower/execution.h"
#include "tests/lower/forced_implementations.h"
#include "tests/lower/network_maker.h"

namespace emulsion::test {

namespace {

constexpr int64_t kTiles = 6, kOutputs = 24;

// Products of so many channels at a single place.
Graph product(int64_t channels) {
    NetworkMaker m(1);
    const TensorId tiles = m.input({1, kTiles, channels}),
                   weights = m.input({1, channels, kOutputs});
    m.node("WinogradProduct", {tiles, weights}, {1, kTiles, kOutputs});
    Graph graph = m.finish_all();
    graph.nodes.front().domain = kOwnDomain;
    return graph;
}

// Of the only operator's nest; 0 where it has none.
int64_t planned_block(const Graph &graph, const std::string &target) {
    const PlannedNetwork network = plan_network(graph, {.target = target, .threads = 2});
    for (const PlannedGroup &group : network.plan.groups) {
        for (const PlannedMember &member : group.members) {
            const auto found = member.nest.parameters.find("sum_block");
            if (found != member.nest.parameters.end()) {
                return found->second;
            }
        }
    }
    return 0;
}

void set_block(PlannedNetwork &network, int block) {
    int set = 0;
    for (PlannedLaunch &launch : network.launches) {
        for (PlannedGroup &group : launch.unit.plan.groups) {
            for (PlannedMember &member : group.members) {
                const auto found = member.nest.parameters.find("sum_block");
                if (found != member.nest.parameters.end()) {
                    found->second = block;
                    set++;
                }
            }
        }
    }
    EXPECT_EQ(1, set);
}

}  // namespace

TEST(SumBlocks, HaveEquallyManyChannelsAndAreTwoOrMore) {
    for (const char *target : {kBaselineTarget, kAvx2Target, kAvx512Target}) {
        for (const auto &[channels, block] : {std::pair{16, 0},
                                              {31, 0},
                                              {32, 16},
                                              {64, 32},
                                              {74, 37},
                                              {96, 48},
                                              {128, 64},
                                              {139, 0},
                                              {256, 64},
                                              {260, 52},
                                              {1024, 64}}) {
            EXPECT_EQ(block, planned_block(product(channels), target)) << channels << " " << target;
        }
    }
}

TEST(SumBlocks, AreNotOfOtherProducts) {
    NetworkMaker m(1);
    m.mat_mul(m.input({6, 256}), m.constant({256, 24}));
    m.conv(m.input({1, 256, 9, 9}), {.channels = 24, .kernel = 5});
    EXPECT_EQ(0, planned_block(m.finish_all(), kAvx2Target));
}

TEST(SumBlocks, OfWinogradsConvolutionsAreRight) {
    for (const int64_t channels : {34, 130}) {
        NetworkMaker m(static_cast<uint64_t>(channels));
        const TensorId x = m.input({1, channels, 9, 7});
        m.unary("Relu", m.conv(x, {.channels = 19, .kernel = 3, .padding = 1, .bias = true}));
        const Graph graph = m.finish_all();
        expect_right_with("winograd_2x2", graph, 1);
        expect_right_with("winograd_4x4", graph, 1);
    }
}

// 64 ones are lost beside 2^28, one by one or a few at a time; their sum is not.
TEST(SumBlocks, AreSummedUpByThemselves) {
    const Graph graph = product(256);
    TensorValues inputs = random_inputs(graph, 1);
    std::vector<double> &tiles = inputs[0], &weights = inputs[1];
    ASSERT_EQ(static_cast<size_t>(kTiles * 256), tiles.size());
    weights.assign(weights.size(), 1.0);
    for (size_t i = 0; i < tiles.size(); i++) {
        const size_t channel = i % 256;
        tiles[i] = channel == 0                     ? std::exp2(28.0)
                   : channel == 128                 ? -std::exp2(28.0)
                   : channel >= 64 && channel < 128 ? 1.0
                                                    : 0.0;
    }
    const TensorValues reference = evaluate_reference(graph, inputs);
    for (const std::string &target : cpu_targets()) {
        PlannedNetwork network = plan_network(graph, {.target = target, .threads = 2});
        EXPECT_EQ("", run_and_compare(network, inputs, reference)) << describe(network);
        set_block(network, 0);
        EXPECT_NE("", run_and_compare(network, inputs, reference)) << describe(network);
    }
}

// As in plans that were edited.
TEST(SumBlocks, OfAnyNumberOfChannelsAreRight) {
    const Graph graph = product(96);
    const TensorValues inputs = random_inputs(graph, 1);
    const TensorValues reference = evaluate_reference(graph, inputs);
    for (const std::string &target : cpu_targets()) {
        PlannedNetwork network = plan_network(graph, {.target = target, .threads = 2});
        for (const int block : {1, 7, 48, 95, 96, 1000}) {
            set_block(network, block);
            EXPECT_EQ("", run_and_compare(network, inputs, reference)) << block << " " << target;
        }
    }
}

}  // namespace emulsion::test
