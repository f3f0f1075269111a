// Memory of huge pages, as an artifact's arena and weights have it, handed out piece by piece.
#pragma once

#include <cstddef>
#include <cstdint>

#include "bench/buffer_memory.h"

namespace emulsion {

class HugeMemory : public BufferMemory {
public:
    // Zeroed. Throws Error (failed) where there is none.
    explicit HugeMemory(int64_t bytes);
    ~HugeMemory() override;

    // All together no more than there are (an assert).
    std::byte *take(int64_t bytes) override;

private:
    void *mapped_ = nullptr;
    size_t mapped_bytes_ = 0;
    std::byte *next_ = nullptr;
    std::byte *end_ = nullptr;
};

}  // namespace emulsion
