#include "frontend/lower/hash_hex.h"

#include <fmt/format.h>
#define XXH_INLINE_ALL
#include <xxhash.h>

namespace emulsion {

std::string hash_hex(std::string_view bytes) {
    const XXH128_hash_t hash = XXH3_128bits(bytes.data(), bytes.size());
    return hash_hex(hash.high64, hash.low64);
}

std::string hash_hex(uint64_t high, uint64_t low) {
    return fmt::format("{:016x}{:016x}", high, low);
}

}  // namespace emulsion
