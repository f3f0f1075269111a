// The header of a .npy file: the text of a Python dictionary with exactly three keys.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace emulsion {

// NumPy's own limit for headers that it does not trust (numpy.lib.format).
constexpr size_t kNpyHeaderLimit = 10'000;
// NumPy's largest rank (NPY_MAXDIMS).
constexpr size_t kNpyMaxRank = 64;

struct NpyHeader {
    std::string descriptor;  // "<f4"
    bool fortran_order = false;
    std::vector<int64_t> shape;
};

// Throws Error (without a place) for anything else than what the format describes.
NpyHeader parse_npy_header(std::string_view text);

}  // namespace emulsion
