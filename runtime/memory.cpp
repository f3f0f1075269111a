// Where a context's bytes come from: the arena and the mapped weights file.

#include <cstring>

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "runtime/context.h"

namespace emulsion::runtime {

namespace {

constexpr size_t kPage = 4096;
constexpr size_t kHugePage = size_t{2} << 20;

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

int map_weights(const EmulsionProgram *program, const char *path, const char **weights,
                size_t *mapped) {
    const int file = open(path, O_RDONLY | O_CLOEXEC);
    if (file < 0) {
        return EMULSION_WEIGHTS_OPEN;
    }
    struct stat facts;
    const uint64_t size = sizeof(EmulsionWeightsHeader) + program->weights_bytes;
    if (fstat(file, &facts) != 0 || !S_ISREG(facts.st_mode) ||
        facts.st_size < static_cast<off_t>(sizeof(EmulsionWeightsHeader))) {
        close(file);
        return EMULSION_WEIGHTS_FORMAT;
    }
    const auto file_size = static_cast<uint64_t>(facts.st_size);
    void *memory = mmap(nullptr, file_size, PROT_READ, MAP_PRIVATE, file, 0);
    close(file);
    if (memory == MAP_FAILED) {
        return EMULSION_MEMORY;
    }
    EmulsionWeightsHeader header;
    std::memcpy(&header, memory, sizeof header);
    int result = EMULSION_OK;
    if (std::memcmp(header.magic, EMULSION_WEIGHTS_MAGIC, sizeof header.magic) != 0 ||
        header.version != EMULSION_WEIGHTS_VERSION ||
        header.content_bytes != file_size - sizeof(EmulsionWeightsHeader)) {
        result = EMULSION_WEIGHTS_FORMAT;
    } else if (file_size != size || header.hash[0] != program->weights_hash[0] ||
               header.hash[1] != program->weights_hash[1]) {
        result = EMULSION_WEIGHTS_MISMATCH;
    }
    if (result != EMULSION_OK) {
        munmap(memory, file_size);
        return result;
    }
    madvise(memory, file_size, MADV_WILLNEED);
    *weights = static_cast<const char *>(memory);
    *mapped = file_size;
    return EMULSION_OK;
}

}  // namespace emulsion::runtime
