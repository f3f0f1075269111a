// The weights file: a header of 64 bytes, then every constant in the layout that its kernels read.
// Equal networks give equal bytes.
#pragma once

#include <array>
#include <cstdint>
#include <string>

#include "backend/program.h"

namespace emulsion {

// xxhash128 of the content (everything behind the header): high and low half.
using ContentHash = std::array<uint64_t, 2>;
std::string hash_hex(const ContentHash &hash);  // 32 hex digits

// Writes the file; two threads or more lay out while the others write. Throws Error (failed) when the
// file can't be written.
ContentHash write_weights(const LinkedNetwork &network, const std::string &path, int threads);

}  // namespace emulsion
