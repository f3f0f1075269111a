// The schedule that Gao2025 hands back compiles as C++, as the header that generators write of it.
#include <Halide.h>
#include <gtest/gtest.h>

// The function around the schedule is Halide's, and leaves its target unused.
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wunused-parameter"
#include "convolution_3x3.schedule.h"
#include "depthwise_separable.schedule.h"
#pragma GCC diagnostic pop

TEST(ScheduleHeader, CompilesAsAFunctionOfThePipeline) {
    using Apply = void (*)(Halide::Pipeline, Halide::Target);
    const Apply convolution = apply_schedule_convolution_3x3;
    const Apply separable = apply_schedule_depthwise_separable;
    EXPECT_NE(convolution, separable);
}
