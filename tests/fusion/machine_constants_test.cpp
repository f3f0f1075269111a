#include "fusion/machine_constants.h"

#include <gtest/gtest.h>

#include <limits>

#include "fusion/chips.h"
#include "fusion/error.h"

namespace emulsion {

namespace {

std::string refusal(const MachineConstants &constants) {
    Machine machine;
    try {
        set_constants(machine, constants);
    } catch (const Error &e) {
        return e.what();
    }
    return "";
}

}  // namespace

TEST(MachineConstants, GoToJsonAndBack) {
    CpuMachine machine;
    machine.l2_bytes = 524288;
    machine.task_cycles = 1234.5;
    const MachineConstants constants =
        constants_from_json(to_json(constants_of(machine)), "machine.json");
    Machine other;
    set_constants(other, constants);
    EXPECT_EQ(other.cpu(), machine);
}

TEST(MachineConstants, OfAGpuAreThoseOfAFileThatItHas) {
    const Machine typical = machine_of(find_chip("gfx906"));
    Machine machine = typical;
    set_constants(machine, {{"nest_slowdown", 2.5}, {"l2_bytes", 4096.0}, {"gigahertz", 1.25}});
    GpuMachine expected = typical.gpu();
    expected.nest_slowdown = 2.5;
    expected.gigahertz = 1.25;
    EXPECT_EQ(machine.gpu(), expected);
    EXPECT_EQ(constants_of(machine),
              (MachineConstants{{"gigahertz", 1.25},
                                {"launch_cycles", expected.launch_cycles},
                                {"nest_slowdown", 2.5},
                                {"operations_per_cycle", expected.operations_per_cycle}}));
    EXPECT_THROW(set_constants(machine, {{"l2_bytes", -1.0}}), Error);
    EXPECT_THROW(set_constants(machine, {{"warp_factor", 9.0}}), Error);
}

TEST(MachineConstants, WhatNoMachineHasIsRefused) {
    EXPECT_EQ(refusal({{"launch_cycles", 0.0}}), "");
    EXPECT_NE(refusal({{"gigahertz", 0.0}}).find("'gigahertz' is 0"), std::string::npos);
    EXPECT_NE(refusal({{"l2_bytes", -1.0}}).find("accepted are numbers from"), std::string::npos);
    EXPECT_NE(refusal({{"task_cycles", std::numeric_limits<double>::quiet_NaN()}}), "");
    EXPECT_NE(refusal({{"warp_factor", 9.0}}).find("known are l2_bytes"), std::string::npos)
        << refusal({{"warp_factor", 9.0}});
}

TEST(MachineConstants, ATextThatIsNoneIsRefused) {
    for (const char *text : {"", "[]", "{", "{\"l2_bytes\": \"much\"}"}) {
        EXPECT_THROW(constants_from_json(text, "machine.json"), Error) << text;
    }
}

}  // namespace emulsion
