// Prices of loop nests: every valid point has one, what is known to be slow is dear, and edited plans have those of their
// nests.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>

#include <nlohmann/json.hpp>

#include "frontend/lower/network_plan.h"
#include "fusion/cost/nest_price.h"
#include "fusion/random_nest.h"
#include "tests/fusion/for_seeds.h"
#include "tests/lower/cpu_targets.h"
#include "tests/lower/execution.h"
#include "tests/lower/nest_points.h"
#include "tests/lower/network_maker.h"
#include "tests/lower/random_network.h"
#include "tests/lower/random_operator.h"

namespace emulsion::test {

namespace {

using nlohmann::json;

PlannedNetwork plan_alone(const Graph &graph, const std::string &target, int threads) {
    PlanOptions options;
    options.policy = "none";
    options.exact = true;
    options.target = target;
    options.threads = threads;
    return plan_network(graph, options);
}

double price_of(const PlannedNetwork &network, const PlannedGroup &group, const Nest &nest) {
    const GroupPrice price = price_with_nests(network.operators_of(group), group,
                                              {{group.members.front().op, nest}}, network.machine);
    EXPECT_EQ("", price.refused);
    return price.cycles;
}

// The planner prices such a nest as the preferred one on one core, and not by what the model says of it: a few percent.
bool runs_on_one_core(const PlannedNetwork &network, const PlannedMember &member) {
    const auto &serial = space_of(network, member).panels.serial;
    return !serial.empty() && std::all_of(serial.begin(), serial.end(), [&](const auto &parameter) {
        return member.nest.parameters.at(parameter.first) == parameter.second;
    });
}

// Computed by a nest, with nothing else in its group.
std::vector<const PlannedGroup *> single_nests(const PlannedNetwork &network) {
    std::vector<const PlannedGroup *> groups;
    for (const PlannedGroup &group : network.plan.groups) {
        if (group.kind == GroupKind::Compute && group.members.size() == 1 &&
            !group.members.front().nest.empty()) {
            groups.push_back(&group);
        }
    }
    return groups;
}

// Of a convolution of 64 channels of 28 x 28 pixels, over the planned nest's.
double relative_price(const std::string &target, const std::map<std::string, int64_t> &parameters) {
    NetworkMaker m(1);
    m.conv(m.input({1, 64, 28, 28}), {.channels = 64, .kernel = 3, .padding = 1});
    const PlannedNetwork network = plan_alone(m.finish_all(), target, 4);
    const PlannedGroup &group = *single_nests(network).at(0);
    const PlannedMember &member = group.members.front();
    Nest nest = member.nest;
    for (const auto &[name, value] : parameters) {
        nest.parameters[name] = value;
    }
    EXPECT_EQ("", space_of(network, member).is_valid(nest));
    return price_of(network, group, nest) / price_of(network, group, member.nest);
}

}  // namespace

TEST(NestPrices, EveryValidPointHasOne) {
    const std::vector<std::string> targets{kAvx2Target, "x86-64-linux-avx512_skylake-avx2-fma",
                                           "amdgpu-gfx906", "amdgpu-gfx1100"};
    for_seeds(3.0, 1, [&](uint64_t seed) {
        const PlannedNetwork network = plan_alone(
            random_operator(seed), targets[seed % targets.size()], 1 + static_cast<int>(seed % 4));
        std::mt19937_64 engine(seed);
        for (const PlannedGroup *group : single_nests(network)) {
            const PlannedMember &member = group->members.front();
            const NestSpace &space = space_of(network, member);
            for (int i = 0; i < 20; i++) {
                const Nest nest = random_nest(space, member.nest, engine);
                const double price = price_of(network, *group, nest);
                EXPECT_TRUE(std::isfinite(price) && price > 0.0) << "seed " << seed;
            }
        }
    });
}

// Layouts are decided before groups are priced, so that there is nothing to be priced again.
TEST(NestPrices, OfPlannedNestsAreThoseOfThePlan) {
    const std::vector<std::string> targets{kAvx2Target, "x86-64-linux-avx512_skylake-avx2-fma",
                                           "amdgpu-gfx906", "amdgpu-gfx1100"};
    int conversions = 0;
    for_seeds(3.0, 1, [&](uint64_t seed) {
        PlanOptions options;
        options.policy = seed % 3 == 0 ? "none" : "gao2025";
        options.target = targets[seed % targets.size()];
        options.threads = 1 + static_cast<int>(seed % 4);
        const PlannedNetwork network = plan_network(random_network(seed).graph, options);
        for (const PlannedGroup &group : network.plan.groups) {
            if (group.kind == GroupKind::View || group.members.size() != 1) {
                continue;
            }
            const PlannedMember &member = group.members.front();
            if (runs_on_one_core(network, member)) {
                continue;
            }
            EXPECT_DOUBLE_EQ(group.cycles, price_of(network, group, member.nest))
                << "seed " << seed << " " << options.target << " " << member.op << " "
                << describe(network);
            conversions += group.kind == GroupKind::Convert ? 1 : 0;
        }
    });
    EXPECT_TRUE(conversions > 0 || one_seed_only());
}

TEST(NestPrices, WhatIsKnownToBeSlowIsDear) {
    // One element at a time; sums that have no registers; one vector after the other; one core.
    EXPECT_GT(relative_price(kAvx2Target, {{"vector", 1}}), 4.0);
    EXPECT_GT(relative_price(kAvx2Target, {{"vectors", 2}, {"width", 28}, {"height", 1}}), 1.5);
    EXPECT_GT(relative_price(kAvx2Target, {{"unroll_tile", 0}}), 3.0);
    EXPECT_GT(relative_price(kAvx2Target, {{"serial", 1}}), 2.5);
    EXPECT_GT(relative_price("amdgpu-gfx906", {{"threads1", 1}, {"tile1", 1}}), 2.0);
}

TEST(NestPrices, OfEditedPlansAreThoseOfTheirNests) {
    NetworkMaker m(1);
    m.conv(m.input({1, 64, 28, 28}), {.channels = 64, .kernel = 3, .padding = 1});
    const Graph graph = m.finish_all();
    PlanOptions options;
    options.policy = "none";
    options.target = kAvx2Target;
    options.exact = true;
    const PlannedNetwork planned = plan_network(graph, options);
    const PlannedGroup &own = *single_nests(planned).at(0);
    EXPECT_DOUBLE_EQ(own.cycles, price_of(planned, own, own.members.front().nest));
    json edited = json::parse(network_plan_document(graph, planned, options));
    for (json &group : edited["plan"]["groups"]) {
        for (json &member : group["members"]) {
            if (member.contains("nest") && group["kind"] == "compute") {
                member["nest"]["parameters"]["vectors"] = 1;
                member["nest"]["parameters"]["padded"] = 0;
            }
        }
    }
    const PlannedNetwork again = plan_network(graph, options_from_plan(edited.dump(), "plan.json"));
    const PlannedGroup &group = *single_nests(again).at(0);
    const PlannedMember &member = group.members.front();
    EXPECT_EQ(1, member.nest.parameters.at("vectors"));
    EXPECT_DOUBLE_EQ(price_of(again, group, member.nest), group.cycles);
    EXPECT_GT(group.cycles, own.cycles);
}

}  // namespace emulsion::test
