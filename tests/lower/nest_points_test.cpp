// Every valid point of a loop nest's space gives right numbers, and every other one is refused with a sentence before
// Halide sees it: operators and points at random, with a time box and a printed seed.
#include <Halide.h>
#include <gtest/gtest.h>

#include <algorithm>

#include <iostream>
#include <map>
#include <sstream>

#include "autoscheduler/templates/template.h"
#include "frontend/lower/set_nests.h"
#include "frontend/lower/smaller_unit.h"
#include "fusion/error.h"
#include "tests/fusion/for_seeds.h"
#include "tests/fusion/invalid_nest.h"
#include "tests/lower/cpu_targets.h"
#include "tests/lower/execution.h"
#include "tests/lower/nest_points.h"
#include "tests/lower/network_maker.h"
#include "tests/lower/out_of_bounds.h"
#include "tests/lower/random_network.h"
#include "tests/lower/random_operator.h"

namespace emulsion::test {

namespace {

// By template, how many points have been run; and how many have not, because Halide could not compile them and smaller
// ones were run instead.
class Counts {
public:
    void add(const Plan &asked, const Plan &compiled) {
        const auto &wanted = asked.groups.at(0).members, &made = compiled.groups.at(0).members;
        for (size_t i = 0; i < wanted.size(); i++) {
            if (!wanted[i].nest.empty()) {
                Count &count = counts_[wanted[i].nest.template_name];
                (wanted[i].nest == made.at(i).nest ? count.run : count.shrunk)++;
            }
        }
    }
    void print() const {
        for (const auto &[name, count] : counts_) {
            std::cout << name << ": " << count.run << " points run, " << count.shrunk
                      << " shrunk\n";
        }
    }

private:
    struct Count {
        int run = 0, shrunk = 0;
    };
    std::map<std::string, Count> counts_;
};

void expect_planned_points_are_valid(const PlannedNetwork &network, uint64_t seed) {
    for (const PlannedGroup &group : network.plan.groups) {
        for (const PlannedMember &member : group.members) {
            if (!member.nest.empty()) {
                EXPECT_EQ("", space_of(network, member).is_valid(member.nest))
                    << "planned, seed " << seed;
            }
        }
    }
}

void expect_points_are_right(const RandomNetwork &drawn, const std::string &target, uint64_t seed,
                             Counts &counts) {
    const auto &[graph, inputs, reference] = drawn;
    PlanOptions options;
    options.target = target;
    options.threads = 1 + static_cast<int>(seed % 3);
    PlannedNetwork network = plan_network(graph, options);
    expect_planned_points_are_valid(network, seed);
    std::mt19937_64 engine(seed);
    choose_other_nests(network, engine);
    if (one_seed_only()) {  // it may not come back
        std::cout << describe(network) << std::endl;
    }
    CompiledUnits compiled;
    try {
        EXPECT_EQ("", run_and_compare(network, inputs, reference, &compiled))
            << "seed " << seed << ", " << target << ", " << describe(network);
    } catch (const Halide::Error &error) {
        ADD_FAILURE() << "seed " << seed << ", " << target << ": " << error.what()
                      << describe(network);
    }
    for (const auto &[text, unit] : compiled) {
        counts.add(unit_from_json(text).plan, unit.plan());
    }
}

PlannedNetwork plan_for_opencl(const Graph &graph) {
    PlanOptions options;
    options.target = "host-opencl";
    return plan_network(graph, options);
}

void expect_within_memory(const PlannedNetwork &network) {
    for (const PlannedLaunch &launch : network.launches) {
        const Accesses accesses = check_accesses(JitUnit(launch.unit).lowered());
        EXPECT_GT(accesses.checked, 0) << describe(network);
        EXPECT_EQ("", accesses.wrong) << describe(network);
    }
}

void run_points(double seconds, uint64_t first, const std::vector<std::string> &targets) {
    Counts counts;
    for_seeds(seconds, first, [&](uint64_t seed) {
        const std::string &target = targets[seed % targets.size()];
        const Graph graph = random_operator(seed);
        const TensorValues inputs = operator_inputs(graph, seed);
        expect_points_are_right({graph, inputs, evaluate_reference(graph, inputs)}, target, seed,
                                counts);
    });
    counts.print();
}

void run_networks(double seconds, uint64_t first, const std::string &target) {
    Counts counts;
    for_seeds(seconds, first, [&](uint64_t seed) {
        expect_points_are_right(random_network(seed), target, seed, counts);
    });
    counts.print();
}

void check_memory_of_points(double seconds, uint64_t first) {
    for_seeds(seconds, first, [](uint64_t seed) {
        PlannedNetwork network = plan_for_opencl(random_operator(seed));
        std::mt19937_64 engine(seed);
        choose_other_nests(network, engine);
        expect_within_memory(network);
    });
}

// With these parameters of the only nest, and all others as they are planned.
void expect_nest_is_right(const Graph &graph, const std::map<std::string, int64_t> &parameters) {
    PlannedNetwork network = plan_for_opencl(graph);
    Unit &unit = network.launches.back().unit;
    PlannedMember &planned = network.plan.groups.back().members.at(0);
    for (const auto &[name, value] : parameters) {
        planned.nest.parameters.at(name) = value;
    }
    ASSERT_EQ("", space_of(network, planned).is_valid(planned.nest));
    unit.plan.groups.at(0).members.at(0).nest = planned.nest;
    expect_within_memory(network);
    const TensorValues inputs = random_inputs(graph, 1);
    EXPECT_EQ("", run_and_compare(network, inputs, evaluate_reference(graph, inputs)))
        << describe(network);
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

TEST(NestPoints, ValidOnesAreRightOnAGpu) { run_points(5.0, 1, {"host-opencl"}); }
TEST(SlowNestPoints, ValidOnesAreRightOnAGpu) { run_points(120.0, 1000, {"host-opencl"}); }

// Every load and store of every thread, whether or not an OpenCL device would have noticed.
TEST(NestPoints, ValidOnesStayWithinTheirMemoryOnAGpu) { check_memory_of_points(5.0, 1); }
TEST(SlowNestPoints, ValidOnesStayWithinTheirMemoryOnAGpu) { check_memory_of_points(60.0, 1000); }

// Blocks and tiles that reach beyond the result: threads have tiles of different sizes, and the threads that share
// sums are more than those of the loops that add the parts up.
TEST(NestPoints, SharedSumsOfTilesBeyondTheResultAreRight) {
    NetworkMaker product(1);
    product.mat_mul(product.input({29, 40}), product.constant({40, 42}));
    expect_nest_is_right(
        product.finish_all(),
        {{"split", 2}, {"threads0", 7}, {"tile0", 28}, {"threads1", 2}, {"tile1", 1}});
    NetworkMaker mean(2);
    expect_nest_is_right(
        mean.finish({mean.mean(mean.input({1, 22, 6, 12}), {2, 3}, true)}),
        {{"split", 5}, {"threads1", 10}, {"tile1", 4}, {"threads2", 1}, {"threads3", 1}});
}

// Those that divide the channels, those that don't, and none; outermost in the sums of a tile.
TEST(NestPoints, BlocksOfChannelsAreRight) {
    NetworkMaker m(1);
    m.conv(m.input({1, 32, 9, 11}), {.channels = 24, .kernel = 3, .padding = 1});
    const Graph graph = m.finish_all();
    const TensorValues inputs = random_inputs(graph, 1);
    const TensorValues reference = evaluate_reference(graph, inputs);
    for (const int64_t block : {0, 1, 5, 16}) {
        PlannedNetwork network = plan_network(graph, {.implementations = {{"Conv_0", "direct"}}});
        const auto with_blocks = [](const PlannedGroup &g) {
            return g.members.front().nest.parameters.count("channel_block") != 0;
        };
        const auto group =
            std::find_if(network.plan.groups.begin(), network.plan.groups.end(), with_blocks);
        ASSERT_NE(network.plan.groups.end(), group);
        PlannedMember &planned = group->members.front();
        planned.nest.parameters.at("channel_block") = block;
        ASSERT_EQ("", space_of(network, planned).is_valid(planned.nest));
        follow_nests(network);
        EXPECT_EQ("", run_and_compare(network, inputs, reference)) << "blocks of " << block;
        std::ostringstream code;
        for (const PlannedLaunch &launch : network.launches) {
            code << JitUnit(launch.unit).lowered();
        }
        EXPECT_EQ(block > 0, code.str().find("channel_blocks") != std::string::npos) << code.str();
    }
}

// The last vector of the columns reaches beyond them.
TEST(NestPoints, SumsOfVectorsBeyondTheResultAreRight) {
    NetworkMaker m(1);
    m.mat_mul(m.input({15, 8}), m.constant({8, 51}));
    expect_nest_is_right(
        m.finish_all(),
        {{"split", 1}, {"threads0", 3}, {"tile0", 1}, {"threads1", 33}, {"tile1", 2}});
}

// Masks of two and of four lanes in one kernel, which become numbers of both widths.
TEST(NestPoints, MasksOfSeveralWidthsInAKernelAreRight) {
    constexpr double kOneSeed = 0.01;  // seconds
    run_points(kOneSeed, 1147, {"host-opencl"});
}

// The images of a batch and their rows are workgroups along one axis.
TEST(NestPoints, SumsOfRowsOfABatchStayInRegisters) {
    NetworkMaker m(1);
    m.conv(m.input({2, 13, 14, 11}), {.channels = 36, .kernel = 1});
    expect_nest_is_right(m.finish_all(), {{"split", 1},
                                          {"threads0", 1},
                                          {"tile0", 1},
                                          {"threads1", 32},
                                          {"tile1", 1},
                                          {"threads2", 4},
                                          {"tile2", 2},
                                          {"threads3", 1},
                                          {"tile3", 1}});
}

// What is tried where Halide can't compile a point can be applied.
TEST(NestPoints, HaveSmallerOnesInsideTheBounds) {
    for_seeds(2.0, 1, [](uint64_t seed) {
        PlanOptions options;
        options.target = kAvx2Target;
        PlannedNetwork network = plan_network(random_operator(seed), options);
        std::mt19937_64 engine(seed);
        choose_other_nests(network, engine);
        for (const PlannedLaunch &launch : network.launches) {
            for (auto unit = smaller_unit(launch.unit); unit; unit = smaller_unit(*unit)) {
                EXPECT_NO_THROW(JitUnit{*unit}) << "seed " << seed << describe(network);
            }
        }
    });
}

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
            EXPECT_THROW(JitUnit{unit}, Error) << "seed " << seed << ": " << refusal;
        }
    });
    EXPECT_GT(refused_again, 0);
}

}  // namespace emulsion::test
