// Every valid point of a loop nest's space gives right numbers, and every other one is refused with a sentence before
// Halide sees it: operators and points at random, with a time box and a printed seed.
#include <Halide.h>
#include <gtest/gtest.h>

#include <chrono>
#include <cstdlib>
#include <functional>
#include <iostream>
#include <map>

#include "autoscheduler/templates/template.h"
#include "tests/lower/cpu_targets.h"
#include "tests/lower/execution.h"
#include "tests/lower/nest_points.h"
#include "tests/lower/network_maker.h"
#include "tests/lower/random_network.h"

namespace emulsion::test {

namespace {

// By template, how many points have been run.
using Counts = std::map<std::string, int>;

int64_t integer(std::mt19937_64 &engine, int64_t least, int64_t most) {
    return std::uniform_int_distribution<int64_t>(least, most)(engine);
}

// One operator, or one with an epilogue, of a kind that a template is for.
Graph random_operator(uint64_t seed) {
    NetworkMaker m(seed);
    std::mt19937_64 engine(seed);
    const auto size = [&](int64_t least, int64_t most) { return integer(engine, least, most); };
    const int64_t batch = size(1, 2), channels = size(1, 40), pixels = size(3, 17);
    const Shape image{batch, channels, pixels, size(3, 17)};
    TensorId x = kNoTensor;
    switch (seed % 8) {
    case 0:
    case 1:
        x = m.conv(m.input(image), {.channels = size(1, 70),
                                    .kernel = size(1, 3),
                                    .stride = size(1, 2),
                                    .padding = size(0, 1)});
        break;
    case 2:
        x = m.conv(m.input(image), {.channels = channels,
                                    .kernel = 3,
                                    .stride = size(1, 2),
                                    .padding = 1,
                                    .group = channels});
        break;
    case 3:
        x = m.mat_mul(m.input({size(1, 40), channels}), m.constant({channels, size(1, 90)}));
        break;
    case 4:
        x = m.pool(engine() % 2 == 0 ? "MaxPool" : "AveragePool", m.input(image), size(2, 3),
                   size(1, 2), 0);
        break;
    case 5: x = m.mean(m.input(image), {2, 3}, true); break;
    case 6: x = m.softmax(m.input({size(1, 30), size(2, 130)}), 1); break;
    default: x = m.binary("Add", m.input(image), m.constant({1, channels, 1, 1}));
    }
    return m.finish({engine() % 2 == 0 ? m.unary("Relu", x) : x});
}

void expect_points_are_right(const RandomNetwork &drawn, const std::string &target, uint64_t seed,
                             Counts &counts) {
    const auto &[graph, inputs, reference] = drawn;
    PlanOptions options;
    options.target = target;
    options.threads = 1 + static_cast<int>(seed % 3);
    PlannedNetwork network = plan_network(graph, options);
    for (const PlannedGroup &group : network.plan.groups) {
        for (const PlannedMember &member : group.members) {
            if (!member.nest.empty()) {
                EXPECT_EQ("", space_of(network, member).is_valid(member.nest))
                    << "planned, seed " << seed;
                counts[member.nest.template_name]++;
            }
        }
    }
    std::mt19937_64 engine(seed);
    choose_other_nests(network, engine);
    if (std::getenv("EMULSION_TEST_SEED") != nullptr) {  // it may not come back
        std::cout << describe(network) << std::endl;
    }
    try {
        EXPECT_EQ("", run_and_compare(network, inputs, reference))
            << "seed " << seed << ", " << target << ", " << describe(network);
    } catch (const Halide::Error &error) {
        ADD_FAILURE() << "seed " << seed << ", " << target << ": " << error.what()
                      << describe(network);
    }
}

void for_seeds(double limit, uint64_t first, const std::function<void(uint64_t)> &run) {
    if (const char *seed = std::getenv("EMULSION_TEST_SEED")) {
        run(std::strtoull(seed, nullptr, 10));
        return;
    }
    const auto start = std::chrono::steady_clock::now();
    uint64_t seed = first;
    for (;
         std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count() < limit &&
         !testing::Test::HasFailure();
         seed++) {
        run(seed);
    }
    std::cout << "seeds " << first << " to " << seed - 1 << "\n";
}

void run_points(double seconds, uint64_t first, const std::vector<std::string> &targets) {
    Counts counts;
    for_seeds(seconds, first, [&](uint64_t seed) {
        const std::string &target = targets[seed % targets.size()];
        const Graph graph = random_operator(seed);
        const TensorValues inputs = random_inputs(graph, seed);
        expect_points_are_right({graph, inputs, evaluate_reference(graph, inputs)}, target, seed,
                                counts);
    });
    for (const auto &[name, points] : counts) {
        std::cout << name << ": " << points << " points\n";
    }
}

void run_networks(double seconds, uint64_t first, const std::string &target) {
    Counts counts;
    for_seeds(seconds, first, [&](uint64_t seed) {
        expect_points_are_right(random_network(seed), target, seed, counts);
    });
    for (const auto &[name, points] : counts) {
        std::cout << name << ": " << points << " points\n";
    }
}

// Whether the nest's template takes it for a result of this group's axes.
bool is_inside_bounds(const Nest &nest, const PlannedNetwork &network, const PlannedGroup &group) {
    NestFuncs funcs;
    const auto &order = network.plan.values.at(static_cast<size_t>(group.output)).layout.order;
    const std::vector<Halide::Var> vars(order.size());
    funcs.root(vars) = 0.0F;
    NestSpace bounds = find_template(nest.template_name).bounds(funcs);
    bounds.template_name = nest.template_name;
    return bounds.is_valid(nest).empty();
}

}  // namespace

TEST(NestPoints, ValidOnesAreRight) { run_points(5.0, 1, cpu_targets()); }
TEST(SlowNestPoints, ValidOnesAreRight) { run_points(30.0, 1000, cpu_targets()); }
TEST(SlowNestPoints, ValidOnesOfNetworksAreRight) { run_networks(30.0, 1, "host"); }

// Off: sums that are split (gpu_contraction with split 2 and 28 rows, seed 1019; gpu_lanewise with split 5, seed 1021)
// now and then write where they must not. Until that is understood, the GPU templates' spaces are too wide.
TEST(NestPoints, DISABLED_ValidOnesAreRightOnAGpu) { run_points(5.0, 1, {"host-opencl"}); }
TEST(SlowNestPoints, DISABLED_ValidOnesAreRightOnAGpu) { run_points(120.0, 1000, {"host-opencl"}); }

// The space refuses them with a sentence; what is outside of the template's bounds, which are wider, is refused again
// when a plan is applied.
TEST(NestPoints, OthersAreRefused) {
    int refused_again = 0;
    for_seeds(2.0, 1, [&](uint64_t seed) {
        PlanOptions options;
        options.target = seed % 2 == 0 ? kAvx2Target : "host-opencl";
        PlannedNetwork network = plan_network(random_operator(seed), options);
        std::mt19937_64 engine(seed);
        Unit &unit = network.launches.back().unit;
        const PlannedGroup &group = network.plan.groups.back();
        if (group.kind != GroupKind::Compute) {
            return;  // a view, which launches nothing
        }
        for (size_t i = 0; i < group.members.size(); i++) {
            if (group.members[i].nest.empty()) {
                continue;
            }
            const NestSpace &space = space_of(network, group.members[i]);
            Nest &nest = unit.plan.groups.at(0).members.at(i).nest;
            nest = random_invalid_nest(space, engine);
            const std::string refusal = space.is_valid(nest);
            EXPECT_EQ(0U, refusal.find("loop nest '" + nest.template_name + "'")) << refusal;
            if (is_inside_bounds(nest, network, group)) {
                continue;
            }
            refused_again++;
            EXPECT_THROW(JitUnit{unit}, Halide::CompileError) << "seed " << seed << ": " << refusal;
        }
    });
    EXPECT_GT(refused_again, 0);
}

}  // namespace emulsion::test
