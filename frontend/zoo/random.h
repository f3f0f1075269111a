// Random numbers that are the same on every machine, compiler and C library: integer arithmetic only
// up to one final multiplication (std::normal_distribution, log and cos promise no such thing).
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

namespace emulsion {

class PortableRandom {
public:
    // Independent streams for different names, so that adding a tensor changes no other.
    PortableRandom(uint64_t seed, std::string_view stream);

    // xoshiro256** 1.0 (Blackman and Vigna, 2018).
    uint64_t next();
    // Mean 0, variance 1, within 3.47: the sum of four uniform numbers (Irwin-Hall), which is as
    // good as a normal distribution for weights, and exact.
    float normal();
    // In [low, high).
    float uniform(float low, float high);

private:
    std::array<uint64_t, 4> state_;
};

}  // namespace emulsion
