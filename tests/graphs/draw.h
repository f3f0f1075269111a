// Random choices; the same on every machine.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <random>
#include <vector>

namespace emulsion::test {

class Draw {
public:
    explicit Draw(uint64_t seed) : engine_(seed) {}

    // Not std::uniform_int_distribution, which libraries may define otherwise.
    int64_t integer(int64_t low, int64_t high) {
        return low + static_cast<int64_t>(engine_() % static_cast<uint64_t>(high - low + 1));
    }
    bool flip() { return integer(0, 1) == 1; }
    bool one_in(int64_t n) { return integer(1, n) == 1; }
    double real(double low, double high) {
        return low + (high - low) * static_cast<double>(engine_() >> 11) * 0x1p-53;
    }
    template<typename T>
    T of(std::initializer_list<T> from) {
        return from.begin()[integer(0, static_cast<int64_t>(from.size()) - 1)];
    }
    template<typename T>
    const T &of(const std::vector<T> &from) {
        return from[static_cast<size_t>(integer(0, static_cast<int64_t>(from.size()) - 1))];
    }
    int64_t below(size_t count) { return integer(0, static_cast<int64_t>(count) - 1); }

private:
    std::mt19937_64 engine_;
};

}  // namespace emulsion::test
