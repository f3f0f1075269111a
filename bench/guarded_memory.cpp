#include "bench/guarded_memory.h"

#include <algorithm>
#include <cerrno>

#include <fmt/format.h>
#include <sys/mman.h>
#include <unistd.h>

#include "fusion/error.h"

namespace emulsion {

namespace {

constexpr std::byte kUntouched{0xa5};

size_t page_bytes() { return static_cast<size_t>(sysconf(_SC_PAGESIZE)); }

bool is_untouched(const std::byte *begin, const std::byte *end) {
    return std::all_of(begin, end, [](std::byte b) { return b == kUntouched; });
}

}  // namespace

GuardedMemory::~GuardedMemory() {
    const size_t page = page_bytes();
    for (const Mapping &mapping : mappings_) {
        munmap(mapping.begin - page, static_cast<size_t>(mapping.end - mapping.begin) + 2 * page);
    }
}

std::byte *GuardedMemory::take(int64_t bytes) {
    const size_t page = page_bytes(), wanted = static_cast<size_t>(taken(bytes));
    const size_t inside = (wanted + page - 1) / page * page;
    void *mapped = mmap(nullptr, inside + 2 * page, PROT_NONE,
                        MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (mapped == MAP_FAILED) {
        throw failure(fmt::format("no memory of {} bytes is to be had (error {})", inside, errno));
    }
    Mapping mapping;
    mapping.begin = static_cast<std::byte *>(mapped) + page;
    mapping.end = mapping.begin + inside;
    mapping.buffer = mapping.end - wanted;
    mapping.buffer_end = mapping.buffer + bytes;
    mappings_.push_back(mapping);
    if (inside > 0 && mprotect(mapping.begin, inside, PROT_READ | PROT_WRITE) != 0) {
        throw failure(fmt::format("no memory of {} bytes is to be had (error {})", inside, errno));
    }
    std::fill(mapping.begin, mapping.buffer, kUntouched);
    std::fill(mapping.buffer_end, mapping.end, kUntouched);
    return mapping.buffer;
}

bool GuardedMemory::is_intact() const {
    return std::all_of(mappings_.begin(), mappings_.end(), [](const Mapping &mapping) {
        return is_untouched(mapping.begin, mapping.buffer) &&
               is_untouched(mapping.buffer_end, mapping.end);
    });
}

}  // namespace emulsion
