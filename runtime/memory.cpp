// Where the bytes of an arena come from.

#include <sys/mman.h>

#include "runtime/context.h"

namespace emulsion::runtime {

namespace {

constexpr size_t kPage = 4096;

size_t round_up(size_t n, size_t unit) { return (n + unit - 1) / unit * unit; }

}  // namespace

char *map_memory(size_t bytes, size_t *mapped) {
    const bool huge = bytes >= kHugePage;
    const size_t size = round_up(bytes > 0 ? bytes : 1, huge ? kHugePage : kPage);
    // To start on a huge page, map one more and cut off what is not needed.
    const size_t slack = huge ? kHugePage : 0;
    void *memory =
        mmap(nullptr, size + slack, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (memory == MAP_FAILED) {
        return nullptr;
    }
    char *start = static_cast<char *>(memory);
    if (huge) {
        const size_t head =
            round_up(reinterpret_cast<size_t>(start), kHugePage) - reinterpret_cast<size_t>(start);
        if (head > 0) {
            munmap(start, head);
        }
        if (slack > head) {
            munmap(start + head + size, slack - head);
        }
        start += head;
        madvise(start, size, MADV_HUGEPAGE);
    }
    *mapped = size;
    return start;
}

void unmap_memory(const void *memory, size_t mapped) {
    if (memory != nullptr) {
        munmap(const_cast<void *>(memory), mapped);
    }
}

}  // namespace emulsion::runtime
