// Kernels stay within their memory: LDS, registers, buffers. Every load and store of every thread is looked at,
// in what the plans for each chip are lowered to.
#include <gtest/gtest.h>

#include <chrono>

#include "frontend/graph/pass.h"
#include "fusion/chips.h"
#include "tests/lower/execution.h"
#include "tests/lower/out_of_bounds.h"
#include "tests/lower/random_network.h"
#include "tests/lower/zoo_graph.h"

namespace emulsion::test {

namespace {

constexpr double kSecondsOfAccesses = 4.0;  // for the random networks

void expect_accesses_within_memory(const Graph &graph, const std::string &chip,
                                   const std::string &policy = "gao2025") {
    PlanOptions options;
    options.policy = policy;
    options.target = "amdgpu-" + chip;
    for (const PlannedLaunch &launch : plan_network(graph, options).launches) {
        const Accesses accesses = check_accesses(JitUnit(launch.unit).lowered());
        EXPECT_GT(accesses.checked, 0) << chip << ", " << policy << ", " << launch.label;
        EXPECT_EQ("", accesses.wrong) << chip << ", " << policy << ", " << launch.label;
    }
}

class GpuAccesses : public testing::TestWithParam<const char *> {};

}  // namespace

TEST_P(GpuAccesses, LieWithinTheirMemoryOnEveryChip) {
    const Graph graph = run_passes(zoo_graph(GetParam()));
    for (const Chip &chip : all_chips()) {
        expect_accesses_within_memory(graph, chip.name);
    }
    for (const char *policy : {"none", "tvm", "dnnfusion", "priority"}) {
        expect_accesses_within_memory(graph, "gfx906", policy);
    }
}

INSTANTIATE_TEST_SUITE_P(Tiny, GpuAccesses,
                         testing::Values("tiny_plain", "tiny_squeeze_excite", "tiny_attention"));
INSTANTIATE_TEST_SUITE_P(Slow, GpuAccesses, testing::Values("tiny_residual", "tiny_concat"));

TEST(GpuRandomAccesses, LieWithinTheirMemory) {
    const auto start = std::chrono::steady_clock::now();
    const auto seconds = [&] {
        return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    };
    for (uint64_t seed = 1; seconds() < kSecondsOfAccesses && !testing::Test::HasFailure();
         seed++) {
        SCOPED_TRACE("seed " + std::to_string(seed));
        const Chip &chip = all_chips()[seed % all_chips().size()];
        expect_accesses_within_memory(random_network(seed).graph, chip.name);
    }
}

}  // namespace emulsion::test
