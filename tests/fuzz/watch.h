// Says which case it was when a program that tries many dies of one.
#pragma once

#include <cstdint>
#include <string>

namespace emulsion::fuzz {

// Names the case that begins now, "Conv, EMULSION_TEST_SEED=17": it is printed if the process gets a
// signal that ends it, or if the case takes longer than `kLongestCase`.
class Watch {
public:
    static constexpr unsigned kLongestCase = 20;  // seconds of processor time

    Watch();
    ~Watch();
    Watch(const Watch &) = delete;
    Watch &operator=(const Watch &) = delete;

    void begin(const std::string &name);
};

// Most memory that this process ever had, in bytes.
int64_t peak_memory();

// The seeds to try: first .. first + count - 1, or the one in EMULSION_TEST_SEED alone.
struct Seeds {
    uint64_t first = 0;
    uint64_t count = 0;
};
Seeds seeds(uint64_t count);

}  // namespace emulsion::fuzz
