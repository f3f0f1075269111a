// Numbers and texts that fuzzed models are made of: most are ordinary, some are at the ends of what a
// type holds.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <string>
#include <vector>

#include "frontend/zoo/random.h"

namespace emulsion::fuzz {

// One of 0 .. count-1.
inline size_t pick(PortableRandom &random, size_t count) { return random.next() % count; }

template<typename T>
T choose(PortableRandom &random, std::initializer_list<T> from) {
    return from.begin()[pick(random, from.size())];
}

template<typename Container>
auto &choose_from(PortableRandom &random, Container &from) {
    return from[static_cast<decltype(from.size())>(pick(random, static_cast<size_t>(from.size())))];
}

inline bool one_in(PortableRandom &random, uint64_t count) { return random.next() % count == 0; }

// How often values are taken from the ends: one in `rarity` is, 0 means never.
struct Hostility {
    uint64_t rarity = 2;

    bool strikes(PortableRandom &random) const { return rarity != 0 && one_in(random, rarity); }
};

int64_t integer(PortableRandom &random, Hostility hostility);
double real(PortableRandom &random, Hostility hostility);
// A mode, an equation or the like that some operator knows.
std::string text(PortableRandom &random, Hostility hostility);
// An extent, mostly of 1 to 8.
int64_t extent(PortableRandom &random, Hostility hostility);
std::vector<int64_t> integers(PortableRandom &random, size_t count, Hostility hostility);

}  // namespace emulsion::fuzz
