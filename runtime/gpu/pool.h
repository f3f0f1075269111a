// Device memory that is kept when it is freed, because drivers take long to allocate and wait for the
// whole device to free.
//
// A freed block may still be in use by what was put on a stream before. It is therefore given out again
// only to the same stream, whose order protects it, until that stream was waited for. A block that was
// allocated for one stream and is freed for another isn't kept: either may use it, and the one it was
// allocated for may be gone, so only the driver, which waits for all, can tell when it is free.
#pragma once

#include "runtime/gpu/driver.h"
#include "runtime/gpu/mutex.h"

namespace emulsion::runtime::gpu {

class Pool {
public:
    constexpr Pool() = default;
    // Blocks kept beyond this many bytes go back to the driver, longest unused first.
    void set_cap(size_t bytes) { cap_ = bytes; }

    // Aligned as the driver does it; no bytes get a block too.
    bool allocate(const Driver &driver, size_t bytes, Stream stream, void **memory, Message *why);
    // Fails for what is no block of this pool in use.
    bool release(const Driver &driver, void *memory, Stream stream, Message *why);

    // To be taken before waiting for a stream: what was freed until then is idle afterwards.
    uint64_t now();
    void mark_idle(Stream stream, uint64_t until);

    // Gives all free blocks back.
    void trim(const Driver &driver);

private:
    struct Block {
        void *memory;
        size_t bytes;
        uint64_t freed;  // when; 0: in use
        Stream stream;   // that it was allocated for, and that may still use it
        bool idle;       // no stream does
    };

    Block *best_fit(size_t bytes, Stream stream);
    bool add(void *memory, size_t bytes, Stream stream);
    void give_back(const Driver &driver, size_t index);
    void give_back_all(const Driver &driver);
    void keep_to_cap(const Driver &driver);

    Mutex mutex_;
    Block *blocks_ = nullptr;  // in no order
    size_t count_ = 0;
    size_t capacity_ = 0;
    size_t kept_ = 0;  // bytes of free blocks
    size_t cap_ = SIZE_MAX;
    uint64_t time_ = 0;
};

}  // namespace emulsion::runtime::gpu
