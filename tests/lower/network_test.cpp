// Whole networks, planned: how many kernels they take.
#include "frontend/lower/network.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>

#include "frontend/graph/pass.h"
#include "frontend/onnx/loader.h"
#include "frontend/zoo/zoo.h"
#include "tests/lower/cpu_targets.h"
#include "tests/lower/network_maker.h"
#include "tests/lower/random_network.h"

namespace emulsion::test {

namespace {

Graph zoo_network(const std::string &name) {
    const auto path = std::filesystem::temp_directory_path() /
                      ("emulsion-" + std::to_string(getpid()) + "-" + name + ".onnx");
    write_zoo_model(name, path.string());
    Graph graph = run_passes(load_model(path.string()));
    std::filesystem::remove(path);
    return graph;
}

PlannedNetwork planned(const Graph &graph, const std::string &policy) {
    PlanOptions options;
    options.policy = policy;
    options.target = "x86-64-linux-avx-avx2-fma-f16c-sse41";
    return plan_network(graph, options);
}

int count(const PlannedNetwork &network, GroupKind kind) {
    int groups = 0;
    for (const PlannedGroup &group : network.plan.groups) {
        groups += group.kind == kind ? 1 : 0;
    }
    return groups;
}

}  // namespace

// The image's layout, 27 convolutions with their activations, the pool, the product; flattening moves
// nothing.
TEST(PlannedNetworks, WithPolicyTvmMobileNetTakesThirtyLaunches) {
    const Graph graph = zoo_network("mobilenet_v1");
    const PlannedNetwork network = planned(graph, "tvm");
    EXPECT_EQ(57, network.operator_count);
    EXPECT_EQ(30U, network.launches.size());
    EXPECT_EQ(30, network.plan.launched_groups());
    EXPECT_EQ(1, count(network, GroupKind::Convert));
    EXPECT_EQ(1, count(network, GroupKind::View));
    EXPECT_EQ(29, count(network, GroupKind::Compute));
}

TEST(PlannedNetworks, WithPolicyNoneEveryOperatorIsAGroup) {
    for (const char *name : {"mobilenet_v1", "tiny_residual"}) {
        const Graph graph = zoo_network(name);
        const PlannedNetwork network = planned(graph, "none");
        size_t operators = 0;
        for (const PlannedGroup &group : network.plan.groups) {
            EXPECT_EQ(1U, group.members.size());
            operators += group.kind == GroupKind::Convert ? 0 : 1;
        }
        EXPECT_EQ(network.graph.nodes.size(), operators);
        EXPECT_GT(network.launches.size(), planned(graph, "gao2025").launches.size());
    }
}

// The loop nests of a plan are those of its units, conversions included, which nobody plans again.
TEST(PlannedNetworks, UnitsAreOfThePlansLoopNests) {
    int conversions = 0;
    for (uint64_t seed = 1; seed <= 40; seed++) {
        PlanOptions options;
        options.policy = seed % 2 == 0 ? "gao2025" : "none";
        options.target = seed % 3 == 0 ? "amdgpu-gfx906" : kAvx2Target;
        options.threads = 1 + static_cast<int>(seed % 2);
        const PlannedNetwork network = plan_network(random_network(seed).graph, options);
        size_t launch = 0;
        for (const PlannedGroup &group : network.plan.groups) {
            if (group.kind == GroupKind::View) {
                continue;
            }
            const PlannedGroup &unit = network.launches.at(launch++).unit.plan.groups.at(0);
            ASSERT_EQ(group.members.size(), unit.members.size());
            for (size_t i = 0; i < group.members.size(); i++) {
                EXPECT_EQ(group.members[i].nest, unit.members[i].nest);
                EXPECT_EQ(group.members[i].parts, unit.members[i].parts);
            }
            conversions += group.kind == GroupKind::Convert ? 1 : 0;
        }
    }
    EXPECT_GT(conversions, 0);
}

// Inputs of a launch fit its unit's arguments, and its label names the nodes in it.
TEST(PlannedNetworks, LaunchesFitTheirUnits) {
    const PlannedNetwork network = planned(zoo_network("tiny_residual"), "gao2025");
    for (const PlannedLaunch &launch : network.launches) {
        ASSERT_EQ(launch.unit.inputs.size(), launch.inputs.size()) << launch.label;
        for (size_t i = 0; i < launch.inputs.size(); i++) {
            EXPECT_EQ(network.plan.values.at(static_cast<size_t>(launch.inputs[i])).layout,
                      launch.unit.inputs[i].layout)
                << launch.label;
        }
        EXPECT_EQ(network.plan.values.at(static_cast<size_t>(launch.output)).layout,
                  launch.unit.output.layout);
        EXPECT_FALSE(launch.label.empty());
        EXPECT_EQ(network.target, launch.unit.target);
    }
}

TEST(PlannedNetworks, PlanningIsDeterministic) {
    const Graph graph = zoo_network("tiny_residual");
    EXPECT_EQ(to_json(planned(graph, "gao2025").plan), to_json(planned(graph, "gao2025").plan));
}

TEST(PlannedNetworks, UnknownTargetsPoliciesAndOperatorsAreRefused) {
    NetworkMaker m(1);
    m.unary("Relu", m.input({4}));
    const Graph graph = m.finish_all();
    for (const char *target :
         {"", "toaster", "arm-64-linux", "x86-64-windows", "x86-64-linux-cuda"}) {
        PlanOptions options;
        options.target = target;
        EXPECT_THROW(plan_network(graph, options), Error) << target;
    }
    EXPECT_THROW(planned(graph, "magic"), Error);
    NetworkMaker unknown(1);
    unknown.unary("Poem", unknown.input({4}));
    EXPECT_THROW(planned(unknown.finish_all(), "none"), Error);
}

}  // namespace emulsion::test
