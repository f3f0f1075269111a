#include "tests/lower/cpu_targets.h"

namespace emulsion::test {

std::vector<std::string> cpu_targets() {
    std::vector<std::string> targets{kBaselineTarget};
    if (__builtin_cpu_supports("avx2") != 0 && __builtin_cpu_supports("fma") != 0) {
        targets.emplace_back(kAvx2Target);
    }
    if (__builtin_cpu_supports("avx512vl") != 0 && __builtin_cpu_supports("avx512bw") != 0 &&
        __builtin_cpu_supports("avx512dq") != 0) {
        targets.emplace_back(kAvx512Target);
    }
    return targets;
}

}  // namespace emulsion::test
