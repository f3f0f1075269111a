// A module's code for several chips in one piece, as runtime/gpu/bundle.h lays it down. The same code
// gives the same bytes.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string>

namespace emulsion {

struct BundledCode {
    std::string chip;
    std::string code;  // a code object
};

struct BundledKernel {
    std::string name;
    bool dynamic_lds = false;
    std::array<int, 3> threads{};  // 0: any number
    int64_t static_lds_bytes = 0;
};

// Throws Error (failed) for a chip's name that is too long, or two codes for one chip.
std::string make_bundle(std::span<const BundledCode> codes, std::span<const BundledKernel> kernels);

}  // namespace emulsion
