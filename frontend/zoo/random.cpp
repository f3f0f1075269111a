#include "frontend/zoo/random.h"

#include <bit>

namespace emulsion {

namespace {

uint64_t fnv1a(std::string_view text) {
    uint64_t hash = 0xCBF29CE484222325;
    for (const char c : text) {
        hash = (hash ^ static_cast<uint8_t>(c)) * 0x100000001B3;
    }
    return hash;
}

// splitmix64, what the authors of xoshiro advise to seed it with.
uint64_t splitmix(uint64_t &state) {
    uint64_t z = (state += 0x9E3779B97F4A7C15);
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EB;
    return z ^ (z >> 31);
}

}  // namespace

PortableRandom::PortableRandom(uint64_t seed, std::string_view stream) : state_() {
    uint64_t mixed = splitmix(seed) ^ fnv1a(stream);
    for (uint64_t &word : state_) {
        word = splitmix(mixed);
    }
}

uint64_t PortableRandom::next() {
    const uint64_t result = std::rotl(state_[1] * 5, 7) * 9;
    const uint64_t shifted = state_[1] << 17;
    state_[2] ^= state_[0];
    state_[3] ^= state_[1];
    state_[1] ^= state_[2];
    state_[0] ^= state_[3];
    state_[2] ^= shifted;
    state_[3] = std::rotl(state_[3], 45);
    return result;
}

float PortableRandom::normal() {
    // Each of the four is uniform on 0..65535, of variance (2^32 - 1) / 12: the sum has the standard
    // deviation 65536 / sqrt(3).
    constexpr float kScale = 1.7320508F / 65536.0F;
    const uint64_t bits = next();
    const auto sum = static_cast<int32_t>((bits & 0xFFFF) + (bits >> 16 & 0xFFFF) +
                                          (bits >> 32 & 0xFFFF) + (bits >> 48));
    return static_cast<float>(sum - 2 * 65535) * kScale;
}

float PortableRandom::uniform(float low, float high) {
    const auto unit = static_cast<float>(next() >> 40) * 0x1p-24F;
    return low + unit * (high - low);
}

}  // namespace emulsion
