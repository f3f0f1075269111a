// Memory in which a unit is found out that reads or writes outside of its buffers.
#pragma once

#include <cstddef>
#include <vector>

#include "bench/buffer_memory.h"

namespace emulsion {

class GuardedMemory : public BufferMemory {
public:
    GuardedMemory() = default;
    ~GuardedMemory() override;

    // Before and behind it lies a page that ends the process which touches it; the one behind begins less than a cache
    // line after the buffer. Throws Error (failed) where there is no memory.
    std::byte *take(int64_t bytes) override;

    // Whether nothing was written between buffers and the pages around them.
    bool is_intact() const;

private:
    // What can be accessed, and where in it the buffer lies.
    struct Mapping {
        std::byte *begin = nullptr, *buffer = nullptr, *buffer_end = nullptr, *end = nullptr;
    };
    std::vector<Mapping> mappings_;
};

}  // namespace emulsion
