#include "bench/fit_machine.h"

#include <gtest/gtest.h>

#include "bench/region_time.h"

namespace emulsion {
namespace {

MachineConstants fitted_to_nothing(double region_seconds) {
    return fit_machine({}, constants_of(Machine()), region_seconds, [](double) {});
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

TEST(FitMachine, OneThreadHasNoRegionToStart) { EXPECT_EQ(0.0, region_seconds(1)); }

TEST(FitMachine, ARegionOfTwoThreadsTakesTime) { EXPECT_GT(region_seconds(2), 0.0); }

}  // namespace
}  // namespace emulsion
