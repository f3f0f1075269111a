#include "fusion/hash_hex.h"

#include <cinttypes>
#include <cstdio>

#define XXH_INLINE_ALL
#include <xxhash.h>

namespace emulsion {

std::string hash_hex(std::string_view bytes) {
    const XXH128_hash_t hash = XXH3_128bits(bytes.data(), bytes.size());
    return hash_hex(hash.high64, hash.low64);
}

std::string hash_hex(uint64_t high, uint64_t low) {
    char text[33];
    std::snprintf(text, sizeof text, "%016" PRIx64 "%016" PRIx64, high, low);
    return text;
}

}  // namespace emulsion
