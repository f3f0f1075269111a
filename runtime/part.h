// A thread's part of a parallel loop, of which others may take iterations, too.
#pragma once

#include <atomic>
#include <cstdint>

namespace emulsion::runtime {

// Iterations of a loop, counted from its first one.
struct Range {
    uint32_t begin = 0;
    uint32_t end = 0;

    uint32_t size() const { return end - begin; }
};

// What nobody has taken yet of a part. Both ends are in one word, so no two threads take the same
// iteration; a part that is empty stays so until it is set again. The word orders no other memory:
// that is left to whoever tells the threads of the loop, and of its end.
class alignas(64) Part {
public:
    void set(Range range) { left.store(packed(range), std::memory_order_relaxed); }
    uint32_t size() const { return unpacked(left.load(std::memory_order_relaxed)).size(); }

    // Up to `most` iterations; none if nothing is left.
    Range take_first(uint32_t most) {
        return take(most, [](Range &rest, uint32_t count) {
            rest.begin += count;
            return Range{rest.begin - count, rest.begin};
        });
    }
    Range take_last(uint32_t most) {
        return take(most, [](Range &rest, uint32_t count) {
            rest.end -= count;
            return Range{rest.end, rest.end + count};
        });
    }

private:
    std::atomic<uint64_t> left{0};

    static uint64_t packed(Range range) { return uint64_t{range.end} << 32 | range.begin; }
    static Range unpacked(uint64_t word) {
        return {static_cast<uint32_t>(word), static_cast<uint32_t>(word >> 32)};
    }

    // cut(rest, count) takes that many off the rest.
    template<typename Cut>
    Range take(uint32_t most, Cut cut) {
        uint64_t word = left.load(std::memory_order_relaxed);
        for (;;) {
            Range rest = unpacked(word);
            if (rest.size() == 0) {
                return {};
            }
            const Range taken = cut(rest, most < rest.size() ? most : rest.size());
            if (left.compare_exchange_weak(word, packed(rest), std::memory_order_relaxed)) {
                return taken;
            }
        }
    }
};

}  // namespace emulsion::runtime
