// What kinds of instructions a piece of device code has, from llvm-objdump's text.
#pragma once

#include <cstdint>
#include <map>
#include <string_view>

namespace emulsion {

// Instructions, except where it says multiply-adds: those are counted per lane, so that a packed
// instruction or one of a dual pair counts as what it does: v_pk_fma_f32 two, v_dot4 four,
// v_mfma_f32_16x16x4 sixteen.
struct InstructionMix {
    int64_t instructions = 0;
    int64_t fused =
        0;  // multiply-adds of v_fma, v_mac, v_mad (of floats), their packed and dual forms
    int64_t packed = 0;  // those of the fused ones that a packed instruction does
    int64_t dots = 0;    // of v_dot2, v_dot4, v_dot8
    int64_t matrix = 0;  // of v_mfma and v_wmma
    // Additions of what a multiplication of the same type made just before: one instruction could have done both.
    int64_t separate = 0;
    int64_t integer_multiply_adds = 0;  // v_mad of integers: products of bytes, but also addresses
    int64_t global_loads = 0;
    int64_t global_stores = 0;
    int64_t scratch_accesses = 0;
    int64_t lds_loads = 0;
    int64_t lds_stores = 0;
    int64_t scalar_loads = 0;
    int64_t barriers = 0;

    int64_t multiply_adds() const { return fused + dots + matrix + separate; }
    // Share of the floating point and dot multiply-adds that one instruction does. A multiplication whose product
    // isn't added (a scaling, a part of an exponential) is none. 1 where there are no multiply-adds.
    double fma_share() const {
        return multiply_adds() == 0 ? 1.0
                                    : static_cast<double>(fused + dots + matrix) /
                                          static_cast<double>(multiply_adds());
    }
    bool operator==(const InstructionMix &) const = default;
};

// Instructions of a text with one of them to a line, operands and all.
class MixCounter {
public:
    // `wavefront`: lanes among which a matrix instruction's multiply-adds are dealt out.
    explicit MixCounter(int wavefront) : wavefront_(wavefront) {}
    void add(std::string_view instruction);
    InstructionMix mix() const { return mix_; }

private:
    void add_vector(std::string_view instruction);

    int wavefront_;
    InstructionMix mix_;
    std::map<int, int> products_;  // by vector register: the type of the product that it holds
};

}  // namespace emulsion
