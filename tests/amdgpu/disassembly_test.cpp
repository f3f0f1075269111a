#include "backend/amdgpu/disassembly.h"

#include <gtest/gtest.h>

#include "backend/amdgpu/module.h"
#include "fusion/error.h"
#include "pipelines.h"

namespace emulsion {

namespace {

std::vector<std::string> chip_names() {
    std::vector<std::string> names;
    for (const Chip &chip : all_chips()) {
        names.push_back(chip.name);
    }
    return names;
}

std::vector<KernelDisassembly> of(const Halide::Module &module, const std::string &chip,
                                  const HipOptions &options = {}) {
    return disassemble(rewrite_for_hip(module, {chip}, options).chips[0].code);
}

}  // namespace

TEST(Disassembly, AConvolutionIsMadeOfFusedMultiplyAdds) {
    const Halide::Module direct = convolution(), staged = staged_convolution();
    for (const std::string &chip : chip_names()) {
        for (const Halide::Module &module : {direct, staged}) {
            const KernelDisassembly kernel = of(module, chip)[0];
            EXPECT_TRUE(kernel.hottest_is_loop) << chip;
            EXPECT_GE(kernel.fma_share(), 0.95) << chip;
            // Four channels of input, for 7 columns and 4 channels of results.
            EXPECT_EQ(112, kernel.hottest.fused) << chip;
        }
    }
}

// Each of the four waves of a workgroup has rows of its own, which all of its lanes read.
TEST(Disassembly, WhatTheLanesOfAWaveShareIsReadOnce) {
    const Halide::Module whole = matrix_product(64), parts = matrix_product(16);
    for (const std::string &chip : chip_names()) {
        const InstructionMix mix = of(whole, chip)[0].hottest;
        EXPECT_EQ(32, mix.fused) << chip;
        EXPECT_EQ(4, mix.global_loads) << chip;
        EXPECT_EQ(8, mix.scalar_loads) << chip;
        const InstructionMix other = of(parts, chip)[0].hottest;
        EXPECT_EQ(0, other.scalar_loads) << chip;
        EXPECT_EQ(12, other.global_loads) << chip;
    }
}

TEST(Disassembly, WithoutContractionThereAreNone) {
    const DeviceCompiler compiler({.fp_contract = "off"});
    HipOptions options;
    options.compiler = &compiler;
    const Halide::Module module = convolution();
    for (const std::string &chip : chip_names()) {
        const KernelDisassembly kernel = of(module, chip, options)[0];
        EXPECT_LT(kernel.fma_share(), 0.5) << chip;
        EXPECT_EQ(112, kernel.hottest.separate) << chip;
    }
}

TEST(Disassembly, HalvesArePacked) {
    const Halide::Module module = convolution(4, Halide::Float(16));
    for (const std::string &chip : chip_names()) {
        const KernelDisassembly kernel = of(module, chip)[0];
        EXPECT_EQ(1.0, kernel.fma_share()) << chip;
        EXPECT_EQ(64, kernel.hottest.fused) << chip;
        EXPECT_LT(kernel.hottest.instructions, 64) << chip;
    }
}

TEST(Disassembly, CountsLdsGlobalMemoryAndBarriers) {
    for (const std::string &chip : chip_names()) {
        const KernelDisassembly kernel = of(staged_convolution(), chip)[0];
        EXPECT_EQ(1, kernel.whole.barriers) << chip;
        EXPECT_GT(kernel.whole.lds_loads, 0) << chip;
        EXPECT_GT(kernel.whole.lds_stores, 0) << chip;
        EXPECT_EQ(7, kernel.whole.global_stores) << chip;
        EXPECT_GT(kernel.whole.scalar_loads, 0) << chip;
        EXPECT_EQ(0, kernel.hottest.lds_stores) << chip;
    }
}

TEST(Disassembly, HasEveryKernel) {
    const std::vector<KernelDisassembly> kernels = of(three_stages(), "gfx906");
    ASSERT_EQ(3u, kernels.size());
    EXPECT_NE(std::string::npos, kernels[0].kernel.find("first"));
}

TEST(Disassembly, TakesTheLoopWithTheMostMultiplyAddsOfItsOwn) {
    // An outer loop of two multiply-adds around one of three, and a loop that copies.
    const std::string text =
        "0000000000001000 <k>:\n"
        "\tv_fma_f32 v0, v1, v2, v3          // 000000001000: 00\n"
        "\tv_mov_b32_e32 v0, v1              // 000000001008: 00\n"
        "\ts_cbranch_scc0 65000              // 00000000100C: 00 <k+0x8>\n"
        "\tv_fma_f32 v0, v1, v2, v3          // 000000001010: 00\n"
        "\tv_pk_fma_f32 v[0:1], v[2:3]       // 000000001018: 00\n"
        "\tv_dual_fmac_f32 v0, v1, v2 :: v_dual_mul_f32 v3, v4, v5// 000000001020: 00\n"
        "\ts_cbranch_scc0 65000              // 000000001028: 00 <k+0x18>\n"
        "\tv_fma_f32 v0, v1, v2, v3          // 00000000102C: 00\n"
        "\ts_cbranch_scc1 65000              // 000000001034: 00 <k+0x10>\n"
        "\ts_endpgm                          // 000000001038: 00\n"
        "\ts_nop 0                           // 00000000103C: 00\n";
    const std::vector<KernelDisassembly> kernels = read_disassembly(text, 32);
    ASSERT_EQ(1u, kernels.size());
    EXPECT_EQ("k", kernels[0].kernel);
    EXPECT_EQ(10, kernels[0].whole.instructions);
    EXPECT_EQ(6, kernels[0].whole.fused);
    EXPECT_TRUE(kernels[0].hottest_is_loop);
    EXPECT_EQ(3, kernels[0].hottest.instructions);
    EXPECT_EQ(3, kernels[0].hottest.fused);
}

TEST(Disassembly, OfNothingIsNothing) {
    EXPECT_TRUE(read_disassembly("", 64).empty());
    EXPECT_TRUE(read_disassembly("nothing\n\tlike // it\n>:\n<>:\n\t// zz <", 64).empty());
}

TEST(Disassembly, NamesThePackageThatIsMissing) {
    const std::string code = rewrite_for_hip(scaling(), {"gfx906"}).chips[0].code;
    try {
        disassemble(code, "no-such-objdump");
        FAIL();
    } catch (const Error &error) {
        EXPECT_NE(nullptr, std::strstr(error.what(), "install the package llvm-19"));
    }
}

}  // namespace emulsion
