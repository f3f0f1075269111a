// The code objects of whole networks: within their chips' limits, and with multiply-adds in one instruction.
#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "backend/amdgpu/disassembly.h"
#include "fusion/chips.h"
#include "tests/backend/amdgpu_network.h"

namespace emulsion {

namespace {

using nlohmann::json;
using test::AmdgpuNetwork;

constexpr double kLeastFmaShare = 0.95;

void expect_within_limits(const json &kernel) {
    EXPECT_TRUE(kernel.at("findings").empty()) << kernel;
    EXPECT_EQ(0, kernel.at("scratch_bytes").get<int64_t>()) << kernel;
    EXPECT_GE(kernel.at("waves_per_simd").get<int>(), 1) << kernel;
    EXPECT_LE(kernel.at("static_lds_bytes").get<int64_t>(), kMostLdsBytes) << kernel;
}

// Of the kernels of one unit together: what the sums' loops do counts, not what epilogues are made of.
double fma_share(const std::string &code_object) {
    double fused = 0.0;
    double all = 0.0;
    for (const KernelDisassembly &kernel : disassemble(code_object)) {
        const InstructionMix &mix = kernel.hottest;
        all += static_cast<double>(mix.multiply_adds());
        fused += static_cast<double>(mix.multiply_adds() - mix.separate);
    }
    return all > 0.0 ? fused / all : 0.0;
}

void expect_good_code(const std::string &name) {
    std::string chips;
    for (const Chip &chip : all_chips()) {
        chips += (chips.empty() ? "" : ",") + chip.name;
    }
    const AmdgpuNetwork network(name, chips);
    std::set<std::string> seen;
    for (const json &launch : network.manifest_launches()) {
        const std::string unit = launch.at("unit");
        if (!seen.insert(unit).second) {
            continue;
        }
        for (const Chip &chip : all_chips()) {
            SCOPED_TRACE(launch.at("label").get<std::string>() + " for " + chip.name);
            const std::vector<json> kernels = network.kernels(unit, chip.name);
            EXPECT_FALSE(kernels.empty());
            std::for_each(kernels.begin(), kernels.end(), expect_within_limits);
            if (launch.at("multiply_adds").get<double>() > 0.0) {
                EXPECT_GE(fma_share(network.code_object(unit, chip.name)), kLeastFmaShare);
            }
        }
    }
}

class AmdgpuCode : public testing::TestWithParam<const char *> {};

}  // namespace

TEST_P(AmdgpuCode, KeepsToRegistersAndUsesFma) { expect_good_code(GetParam()); }

INSTANTIATE_TEST_SUITE_P(Tiny, AmdgpuCode, testing::Values("tiny_plain", "tiny_residual"));
INSTANTIATE_TEST_SUITE_P(Slow, AmdgpuCode,
                         testing::Values("mobilenet_v1", "efficientnet_b0", "vgg16", "yolo_v4"));

}  // namespace emulsion
