#include "runtime/gpu/pool.h"

#include <cstdlib>

namespace emulsion::runtime::gpu {

namespace {

// HIP aligns to this, so smaller blocks would save nothing.
constexpr size_t kGranule = 256;
// Half as much again may be wasted: sizes of a network's intermediates repeat exactly, and anything
// much larger is better kept for its own size.
bool fits(size_t have, size_t want) { return have >= want && have - want <= want / 2; }

constexpr size_t kFirstCapacity = 64;

}  // namespace

Pool::Block *Pool::best_fit(size_t bytes, Stream stream) {
    Block *best = nullptr;
    for (size_t i = 0; i < count_; i++) {
        Block &block = blocks_[i];
        if (block.freed != 0 && (block.idle || block.stream == stream) &&
            fits(block.bytes, bytes) && (best == nullptr || block.bytes < best->bytes)) {
            best = &block;
        }
    }
    return best;
}

bool Pool::add(void *memory, size_t bytes, Stream stream) {
    if (count_ == capacity_) {
        const size_t capacity = capacity_ == 0 ? kFirstCapacity : 2 * capacity_;
        void *blocks = std::realloc(static_cast<void *>(blocks_), capacity * sizeof(Block));
        if (blocks == nullptr) {
            return false;
        }
        blocks_ = static_cast<Block *>(blocks);
        capacity_ = capacity;
    }
    blocks_[count_++] = {memory, bytes, 0, stream, false};
    return true;
}

// What the driver refuses to free is forgotten: a second try would not do better.
void Pool::give_back(const Driver &driver, size_t index) {
    Message ignored;
    (void)driver.release(blocks_[index].memory, &ignored);
    kept_ -= blocks_[index].bytes;
    blocks_[index] = blocks_[--count_];
}

void Pool::give_back_all(const Driver &driver) {
    for (size_t i = count_; i-- > 0;) {
        if (blocks_[i].freed != 0) {
            give_back(driver, i);
        }
    }
    if (count_ == 0) {
        std::free(static_cast<void *>(blocks_));
        blocks_ = nullptr;
        capacity_ = 0;
    }
}

void Pool::keep_to_cap(const Driver &driver) {
    while (kept_ > cap_) {
        size_t oldest = count_;
        for (size_t i = 0; i < count_; i++) {
            if (blocks_[i].freed != 0 &&
                (oldest == count_ || blocks_[i].freed < blocks_[oldest].freed)) {
                oldest = i;
            }
        }
        give_back(driver, oldest);
    }
}

bool Pool::allocate(const Driver &driver, size_t bytes, Stream stream, void **memory,
                    Message *why) {
    if (bytes > SIZE_MAX / 2) {
        return why->set("%s: %zu bytes are more than there is memory", driver.name, bytes);
    }
    const size_t size = bytes == 0 ? kGranule : (bytes + kGranule - 1) / kGranule * kGranule;
    const Locked lock(mutex_);
    if (Block *block = best_fit(size, stream); block != nullptr) {
        kept_ -= block->bytes;
        block->freed = 0;
        block->stream = stream;
        *memory = block->memory;
        return true;
    }
    if (!driver.allocate(size, memory, why)) {
        if (kept_ == 0) {
            return false;
        }
        give_back_all(driver);
        if (!driver.allocate(size, memory, why)) {
            return false;
        }
    }
    if (!add(*memory, size, stream)) {
        Message ignored;
        (void)driver.release(*memory, &ignored);
        return why->set("%s: the host's memory is used up", driver.name);
    }
    return true;
}

bool Pool::release(const Driver &driver, void *memory, Stream stream, Message *why) {
    const Locked lock(mutex_);
    for (size_t i = 0; i < count_; i++) {
        Block &block = blocks_[i];
        if (block.memory == memory && block.freed == 0) {
            block.freed = ++time_;
            block.idle = false;
            kept_ += block.bytes;
            if (block.stream != stream) {
                give_back(driver, i);
            }
            keep_to_cap(driver);
            return true;
        }
    }
    return why->set("%s: the device memory at %p was not allocated here; a crop is ended with "
                    "halide_device_release_crop, foreign memory with halide_device_detach_native",
                    driver.name, memory);
}

uint64_t Pool::now() {
    const Locked lock(mutex_);
    return time_;
}

void Pool::mark_idle(Stream stream, uint64_t until) {
    const Locked lock(mutex_);
    for (size_t i = 0; i < count_; i++) {
        Block &block = blocks_[i];
        if (block.freed != 0 && block.freed <= until && block.stream == stream) {
            block.idle = true;
        }
    }
}

void Pool::trim(const Driver &driver) {
    const Locked lock(mutex_);
    give_back_all(driver);
}

}  // namespace emulsion::runtime::gpu
