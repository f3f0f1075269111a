#include "backend/amdgpu/instruction_mix.h"

#include <gtest/gtest.h>

namespace emulsion {

namespace {

InstructionMix mix_of(std::initializer_list<const char *> instructions, int wavefront = 64) {
    MixCounter counter(wavefront);
    for (const char *instruction : instructions) {
        counter.add(instruction);
    }
    return counter.mix();
}

}  // namespace

TEST(InstructionMix, CountsWhatAFusedInstructionDoes) {
    for (const char *one :
         {"v_fma_f32 v0, v1, v2, v3", "v_fmac_f32_e32 v0, v1, v2", "v_mac_f32_e32 v0, v1, v2",
          "v_mad_f32 v0, v1, v2, v3", "v_fma_f64 v[0:1], v[2:3]", "v_fma_mix_f32 v0, v1, v2, v3",
          "v_fmaak_f32 v0, v1, v2, 0x1", "v_fmac_f16_e32 v0, v1, v2"}) {
        EXPECT_EQ(1, mix_of({one}).fused) << one;
    }
    EXPECT_EQ(2, mix_of({"v_pk_fma_f32 v[0:1], v[2:3]"}).fused);
    EXPECT_EQ(2, mix_of({"v_pk_fma_f16 v0, v1, v2, v3"}).fused);
    EXPECT_EQ(2, mix_of({"v_dual_fmac_f32 v0, v1, v2 :: v_dual_fmaak_f32 v3, v4, v5"}).fused);
    EXPECT_EQ(1, mix_of({"v_dual_fmac_f32 v0, v1, v2 :: v_dual_mov_b32 v3, v4"}).fused);
    EXPECT_EQ(4, mix_of({"v_dot4_i32_i8 v0, v1, v2, v3"}).dots);
    EXPECT_EQ(4, mix_of({"v_dot4c_i32_i8_e32 v0, v1, v2"}).dots);
    EXPECT_EQ(2, mix_of({"v_dot2_f32_f16 v0, v1, v2, v3"}).dots);
}

TEST(InstructionMix, CountsMatrixInstructionsPerLane) {
    EXPECT_EQ(64, mix_of({"v_mfma_f32_16x16x16_f16 a[0:3], v[0:1]"}).matrix);
    EXPECT_EQ(16, mix_of({"v_mfma_f32_16x16x4f32 a[0:3], v0"}).matrix);
    EXPECT_EQ(16, mix_of({"v_mfma_f32_4x4x4_16b_f16 a[0:3], v0"}).matrix);
    EXPECT_EQ(128, mix_of({"v_wmma_f32_16x16x16_f16 v[0:7], v[8:15]"}, 32).matrix);
}

TEST(InstructionMix, FindsProductsThatAreAdded) {
    EXPECT_EQ(1, mix_of({"v_mul_f32_e32 v0, v1, v2", "v_add_f32_e32 v3, v3, v0"}).separate);
    EXPECT_EQ(1, mix_of({"v_mul_f32_e32 v0, v1, v2", "v_sub_f32_e64 v3, |v3|, -v0"}).separate);
    EXPECT_EQ(2, mix_of({"v_pk_mul_f32 v[0:1], v[4:5], v[6:7]",
                         "v_pk_add_f32 v[2:3], v[2:3], v[0:1] op_sel_hi:[1,0]"})
                     .separate);
    EXPECT_EQ(1, mix_of({"v_dual_mul_f32 v0, v1, v2 :: v_dual_mov_b32 v5, v4",
                         "v_dual_mov_b32 v6, v4 :: v_dual_add_f32 v3, v3, v0"})
                     .separate);
    EXPECT_EQ(1, mix_of({"v_mul_f16_e32 v0, v1, v2", "v_subrev_f16_e32 v0, v1, v0"}).separate);
    EXPECT_EQ(0.0, mix_of({"v_mul_f32_e32 v0, v1", "v_sub_f32_e32 v1, v0, v1"}).fma_share());
}

TEST(InstructionMix, LeavesProductsAloneThatAreNotAdded) {
    EXPECT_EQ(0, mix_of({"v_mul_f32_e32 v0, v1, v2", "v_add_f32_e32 v3, v1, v2"}).separate);
    EXPECT_EQ(0, mix_of({"v_mul_f32_e32 v0, v1, v2", "v_mul_f32_e32 v0, v0, v2"}).separate);
    EXPECT_EQ(0, mix_of({"v_mul_f32_e32 v0, v1, v2", "v_add_f64 v[4:5], v[0:1], v[2:3]"}).separate);
    EXPECT_EQ(
        0, mix_of({"v_mul_f32_e32 v0, v1, v2", "v_exp_f32_e32 v0, v0", "v_add_f32_e32 v3, v3, v0"})
               .separate);
}

TEST(InstructionMix, LeavesIntegerArithmeticOut) {
    const InstructionMix mix = mix_of({"v_mad_u64_u32 v[0:1]", "v_mul_lo_u32 v0, v1, v2",
                                       "v_add_u32_e32 v0, v1, v2", "v_mad_i32_i24 v0, v1"});
    EXPECT_EQ(0, mix.multiply_adds());
    EXPECT_EQ(2, mix.integer_multiply_adds);
    EXPECT_EQ(1.0, mix.fma_share());
}

TEST(InstructionMix, TellsKindsOfMemoryApart) {
    const InstructionMix mix =
        mix_of({"global_load_dwordx4 v[0:3], v4, s[0:1]", "global_store_b32 v0, v1, s[0:1]",
                "flat_load_dword v0, v[1:2]", "buffer_store_dword v0, off, s[0:3], 0",
                "ds_read_b128 v[0:3], v4", "ds_store_2addr_b32 v0, v1, v2", "s_load_b64 s[0:1]",
                "s_barrier", "scratch_load_b32 v0, off, s0"});
    EXPECT_EQ(9, mix.instructions);
    EXPECT_EQ(2, mix.global_loads);
    EXPECT_EQ(2, mix.global_stores);
    EXPECT_EQ(1, mix.lds_loads);
    EXPECT_EQ(1, mix.lds_stores);
    EXPECT_EQ(1, mix.scalar_loads);
    EXPECT_EQ(1, mix.barriers);
    EXPECT_EQ(1, mix.scratch_accesses);
}

}  // namespace emulsion
