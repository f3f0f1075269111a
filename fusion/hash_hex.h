// Hashes of bytes, as names and manifests have them.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace emulsion {

// 32 hex digits: XXH128 of `bytes`, or of what has been hashed to these halves.
std::string hash_hex(std::string_view bytes);
std::string hash_hex(uint64_t high, uint64_t low);

}  // namespace emulsion
