// The x86-64 targets that tests name. Tests of plans choose one of them, so that a plan is the same on every
// machine; tests of execution run the code for all that this machine has (cpu_targets).
#pragma once

#include <string>
#include <vector>

namespace emulsion::test {

inline constexpr const char *kBaselineTarget = "x86-64-linux";
inline constexpr const char *kAvx2Target = "x86-64-linux-avx-avx2-f16c-fma-sse41";
inline constexpr const char *kAvx512Target =
    "x86-64-linux-avx-avx2-avx512-avx512_skylake-f16c-fma-sse41";

// Baseline x86-64, then AVX2 and AVX-512 as far as this machine's processor has them.
std::vector<std::string> cpu_targets();

}  // namespace emulsion::test
