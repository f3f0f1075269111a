// Memory of huge pages, as an artifact's arena and weights have it, handed out piece by piece.
#pragma once

#include <cstddef>
#include <cstdint>

namespace emulsion {

class HugeMemory {
public:
    // Zeroed. Throws Error (failed) where there is none.
    explicit HugeMemory(int64_t bytes);
    ~HugeMemory();
    HugeMemory(const HugeMemory &) = delete;
    HugeMemory &operator=(const HugeMemory &) = delete;

    // The next `bytes`, from a cache line's beginning on; together no more than there are (an assert).
    std::byte *take(int64_t bytes);
    // What take() uses up of them.
    static int64_t taken(int64_t bytes);

private:
    void *mapped_ = nullptr;
    size_t mapped_bytes_ = 0;
    std::byte *next_ = nullptr;
    std::byte *end_ = nullptr;
};

}  // namespace emulsion
