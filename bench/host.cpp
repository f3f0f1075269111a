#include "bench/host.h"

#include <fstream>

#include <Halide.h>
#include <fmt/format.h>
#include <unistd.h>

namespace emulsion {

namespace {

std::string processor_name() {
    std::ifstream info("/proc/cpuinfo");
    for (std::string line; std::getline(info, line);) {
        if (line.starts_with("model name")) {
            const size_t colon = line.find(": ");
            return colon == std::string::npos ? "unknown" : line.substr(colon + 2);
        }
    }
    return "unknown";
}

std::string vector_features() {
    std::string features;
#if defined(__x86_64__)
    const auto add = [&](bool has, const char *name) {
        if (has) {
            features += (features.empty() ? "" : ", ") + std::string(name);
        }
    };
    __builtin_cpu_init();
    add(__builtin_cpu_supports("sse4.1") != 0, "SSE4.1");
    add(__builtin_cpu_supports("avx") != 0, "AVX");
    add(__builtin_cpu_supports("avx2") != 0, "AVX2");
    add(__builtin_cpu_supports("fma") != 0, "FMA");
    add(__builtin_cpu_supports("avx512f") != 0, "AVX-512F");
    add(__builtin_cpu_supports("avx512vnni") != 0, "AVX-512 VNNI");
    add(__builtin_cpu_supports("avx512bf16") != 0, "AVX-512 BF16");
#endif
    return features.empty() ? "none beyond the base" : features;
}

// Of the first core, as the kernel describes it (sysconf adds up what several chips have).
int64_t cache_bytes(int level) {
    for (int index = 0; index < 8; index++) {
        const std::string folder =
            fmt::format("/sys/devices/system/cpu/cpu0/cache/index{}/", index);
        std::ifstream level_file(folder + "level"), type_file(folder + "type");
        std::ifstream size_file(folder + "size");
        int found = 0;
        std::string type;
        int64_t kibibytes = 0;  // the file says "32K"
        if (level_file >> found && type_file >> type && size_file >> kibibytes && found == level &&
            type != "Instruction") {
            return kibibytes << 10;
        }
    }
    return 0;
}

}  // namespace

HostInfo host_info() {
    const int llvm = Halide::Internal::get_llvm_version();  // 211 is 21.1
    const Halide::Target target = Halide::get_host_target();
    return {.halide = fmt::format("{}.{}.{}", HALIDE_VERSION_MAJOR, HALIDE_VERSION_MINOR,
                                  HALIDE_VERSION_PATCH),
            .llvm = fmt::format("{}.{}", llvm / 10, llvm % 10),
            .target = target.to_string(),
            .x86_64 = target.arch == Halide::Target::X86 && target.bits == 64,
            .processor = processor_name(),
            .cores = static_cast<int>(sysconf(_SC_NPROCESSORS_ONLN)),
            .features = vector_features(),
            .l1_bytes = cache_bytes(1),
            .l2_bytes = cache_bytes(2),
            .l3_bytes = cache_bytes(3)};
}

std::string machine_fingerprint(const HostInfo &host) {
    const auto kibibytes = [](int64_t bytes) { return bytes >> 10; };
    return fmt::format("{}, {}/{}/{} KiB", host.processor, kibibytes(host.l1_bytes),
                       kibibytes(host.l2_bytes), kibibytes(host.l3_bytes));
}

}  // namespace emulsion
