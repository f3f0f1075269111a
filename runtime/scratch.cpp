#include "runtime/scratch.h"

#include <algorithm>
#include <atomic>
#include <cstdlib>

#include "runtime/context.h"
#include "runtime/thread_pool.h"

namespace emulsion::runtime {

namespace {

// Halide wants the alignment of the widest vector and a size that is a multiple of it.
constexpr size_t kAlignment = 128;
// Each thread looks first where it put its own blocks, which its core's cache still holds.
constexpr int kSlotsPerThread = 8;
constexpr int kSlots = 512;
// A cached block may be this much larger than what is asked for.
constexpr size_t kSlackFactor = 4;
constexpr size_t kSlackBytes = 65536;
// Blocks from here on have huge pages of their own: panels fill a good part of a core's cache, and on small
// pages, scattered over memory, they would meet in few of its sets.
constexpr size_t kLarge = 65536;

// In front of each block.
struct Header {
    size_t bytes;
    size_t mapped;  // of a large block; else 0
};

std::atomic<void *> slots[kSlots];

Header *header(void *block) {
    return reinterpret_cast<Header *>(static_cast<char *>(block) - kAlignment);
}

void give_back(void *block) {
    char *memory = static_cast<char *>(block) - kAlignment;
    if (const size_t mapped = header(block)->mapped; mapped > 0) {
        unmap_memory(memory, mapped);
    } else {
        std::free(memory);
    }
}

// Null if there is not that much memory.
void *new_block(size_t bytes) {
    size_t mapped = 0;
    size_t size = bytes + kAlignment;
    char *memory = nullptr;
    if (bytes >= kLarge) {
        memory = map_memory(std::max(size, kHugePage), &mapped);
        size = mapped;
    } else {
        memory = static_cast<char *>(std::aligned_alloc(kAlignment, size));
    }
    if (memory == nullptr) {
        return nullptr;
    }
    void *block = memory + kAlignment;
    *header(block) = {size - kAlignment, mapped};
    return block;
}

std::atomic<void *> &slot(int i) { return slots[(worker_number() * kSlotsPerThread + i) % kSlots]; }

bool fits(size_t have, size_t want) {
    return have >= want &&
           (have <= want * kSlackFactor + kSlackBytes || (want >= kLarge && have <= kHugePage));
}

}  // namespace

// A block is looked at only after it was taken out of its slot, so nobody else frees it meanwhile.
void *scratch_allocate(size_t bytes) {
    if (bytes > SIZE_MAX / 2) {
        return nullptr;
    }
    const size_t size = (bytes + kAlignment - 1) / kAlignment * kAlignment;
    for (int i = 0; i < kSlotsPerThread; i++) {
        if (slot(i).load(std::memory_order_relaxed) == nullptr) {
            continue;
        }
        void *block = slot(i).exchange(nullptr, std::memory_order_acquire);
        if (block != nullptr && fits(header(block)->bytes, size)) {
            return block;
        }
        scratch_release(block);
    }
    return new_block(size);
}

void scratch_release(void *block) {
    if (block == nullptr) {
        return;
    }
    for (int i = 0; i < kSlotsPerThread; i++) {
        void *none = nullptr;
        if (slot(i).compare_exchange_strong(none, block, std::memory_order_release,
                                            std::memory_order_relaxed)) {
            return;
        }
    }
    // Full of blocks that nobody asked for lately, as this one was: it takes the place of any.
    static thread_local int victim = 0;
    victim = (victim + 1) % kSlotsPerThread;
    void *old = slot(victim).exchange(block, std::memory_order_acq_rel);
    if (old != nullptr) {
        give_back(old);
    }
}

void scratch_trim() {
    for (auto &s : slots) {
        void *block = s.exchange(nullptr, std::memory_order_acquire);
        if (block != nullptr) {
            give_back(block);
        }
    }
}

namespace {
__attribute__((destructor)) void trim_at_unload() { scratch_trim(); }
}  // namespace

}  // namespace emulsion::runtime
