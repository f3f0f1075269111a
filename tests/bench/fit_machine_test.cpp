#include "bench/fit_machine.h"

#include <gtest/gtest.h>

#include <cmath>
#include <map>

#include "bench/region_time.h"
#include "frontend/graph/pass.h"
#include "frontend/onnx/loader.h"
#include "frontend/zoo/zoo.h"
#include "fusion/chips.h"
#include "tests/bench/program.h"

namespace emulsion {
namespace {

MachineConstants fitted_to_nothing(double region_seconds) {
    return fit_machine({}, constants_of(Machine()), region_seconds, [](double) {});
}

constexpr size_t kEvery = 8;  // are enough

// Groups of a network under three policies, with the times that a machine with `truth` has by the model.
SampledNetwork sampled_on(const MachineConstants &truth) {
    const auto folder = make_scratch_folder();
    const std::string path = folder->path() / "model.onnx";
    write_zoo_model("efficientnet_b0", path);
    const Graph graph = run_passes(load_model(path));
    SampledNetwork result;
    for (const char *policy : {"none", "priority", "gao2025"}) {
        PlanOptions options;
        options.policy = policy;
        PlannedNetwork network = plan_network(graph, options);
        for (size_t i = 0; i < network.plan.groups.size(); i += kEvery) {
            const PlannedGroup &group = network.plan.groups[i];
            if (group.kind == GroupKind::Compute) {
                CostSample sample{.policy = policy, .graph = result.graphs.size()};
                for (const PlannedMember &member : group.members) {
                    sample.members.push_back(member.op);
                }
                result.samples.push_back(sample);
            }
        }
        result.graphs.push_back(std::move(network.operators));
        result.machine = network.machine;
    }
    Machine machine = result.machine;
    set_constants(machine, truth);
    const std::vector<double> ms = predicted_ms(result, machine);
    for (size_t i = 0; i < ms.size(); i++) {
        result.samples[i].ms = ms[i];
    }
    return result;
}

// What times tell of a rate is how long it takes, in seconds.
double slowness(const MachineConstants &constants, const std::string &rate) {
    const double cycles = rate == "nest_slowdown" ? constants.at(rate) : 1.0 / constants.at(rate);
    return cycles / constants.at("gigahertz");
}

// A rate that times don't depend on isn't found: in this network nothing comes from memory.
TEST(SlowFitMachine, FindsTheRatesThatTimesWereMadeWith) {
    for (const MachineConstants &changes :
         {MachineConstants{{"nest_slowdown", 2.0}}, MachineConstants{{"operations_per_cycle", 0.6}},
          MachineConstants{
              {"gigahertz", 2.2}, {"nest_slowdown", 1.5}, {"operations_per_cycle", 2.1}}}) {
        MachineConstants truth = constants_of(Machine());
        for (const auto &[name, value] : changes) {
            truth[name] = value;
        }
        const std::vector<SampledNetwork> networks{sampled_on(truth)};
        const MachineConstants start = constants_of(Machine());
        const MachineConstants fitted = fit_machine(networks, start, 0.0, [](double) {});
        EXPECT_LT(0.05, log_error(networks, start));
        EXPECT_GT(0.02, log_error(networks, fitted));
        for (const char *rate : {"nest_slowdown", "operations_per_cycle"}) {
            EXPECT_NEAR(1.0, slowness(fitted, rate) / slowness(truth, rate), 0.06) << rate;
        }
    }
}

// Times that nothing explains.
TEST(SlowFitMachine, NoConstantRunsAway) {
    SampledNetwork network = sampled_on(constants_of(Machine()));
    for (size_t i = 0; i < network.samples.size(); i++) {
        network.samples[i].ms = i % 2 == 0 ? 1e-6 : 1e3;
    }
    const MachineConstants start = constants_of(Machine());
    for (const auto &[name, value] : fit_machine({network}, start, 0.0, [](double) {})) {
        EXPECT_LE(value, start.at(name) * 8.0) << name;
        EXPECT_GE(value, start.at(name) / 8.0) << name;
    }
}

TEST(FitMachine, AMeasuredRegionCountsCyclesOfTheClock) {
    const MachineConstants typical = constants_of(Machine());
    MachineConstants expected = typical;
    expected["region_cycles"] = 1e-6 * typical.at("gigahertz") * 1e9;
    EXPECT_EQ(expected, fitted_to_nothing(1e-6));
}

TEST(FitMachine, WhatWasNotMeasuredStays) {
    EXPECT_EQ(constants_of(Machine()), fitted_to_nothing(0.0));
}

TEST(FitMachine, OfAGpuFitsWhatAGpuHas) {
    const MachineConstants start = constants_of(machine_of(find_chip("gfx906")));
    EXPECT_EQ(start, fit_machine({}, start, 0.0, [](double) {}));
}

TEST(FitMachine, OneThreadHasNoRegionToStart) { EXPECT_EQ(0.0, region_seconds(1)); }

TEST(FitMachine, ARegionOfTwoThreadsTakesTime) { EXPECT_GT(region_seconds(2), 0.0); }

}  // namespace
}  // namespace emulsion
