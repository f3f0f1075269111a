// Where the buffers of a unit lie.
#pragma once

#include <cstddef>
#include <cstdint>

namespace emulsion {

class BufferMemory {
public:
    BufferMemory() = default;
    BufferMemory(const BufferMemory &) = delete;
    BufferMemory &operator=(const BufferMemory &) = delete;
    virtual ~BufferMemory() = default;

    // The next `bytes`, from a cache line's beginning on.
    virtual std::byte *take(int64_t bytes) = 0;

    // Bytes of the cache lines that so many begin and fill.
    static int64_t taken(int64_t bytes) {
        constexpr int64_t kCacheLine = 64;
        return (bytes + kCacheLine - 1) / kCacheLine * kCacheLine;
    }
};

}  // namespace emulsion
