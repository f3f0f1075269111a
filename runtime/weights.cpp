#include "runtime/weights.h"

#include <cstdint>
#include <cstdlib>
#include <cstring>

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>
#define XXH_INLINE_ALL
#include <xxhash.h>

namespace emulsion::runtime {

namespace {

static_assert(sizeof(EmulsionWeightsHeader) == EMULSION_WEIGHTS_ALIGNMENT);

// Reads all of it. A changed bit would otherwise be a wrong result that nobody notices, and the first
// run reads every byte anyway.
int check(const EmulsionProgram *program, const void *bytes, size_t size) {
    EmulsionWeightsHeader header;
    if (size < sizeof header) {
        return EMULSION_WEIGHTS_FORMAT;
    }
    std::memcpy(&header, bytes, sizeof header);
    if (std::memcmp(header.magic, EMULSION_WEIGHTS_MAGIC, sizeof header.magic) != 0 ||
        header.version != EMULSION_WEIGHTS_VERSION ||
        header.content_bytes != size - sizeof header) {
        return EMULSION_WEIGHTS_FORMAT;
    }
    if (header.content_bytes != program->weights_bytes ||
        header.hash[0] != program->weights_hash[0] || header.hash[1] != program->weights_hash[1]) {
        return EMULSION_WEIGHTS_MISMATCH;
    }
    const XXH128_hash_t hash =
        XXH3_128bits(static_cast<const char *>(bytes) + sizeof header, size - sizeof header);
    if (hash.high64 != header.hash[0] || hash.low64 != header.hash[1]) {
        return EMULSION_WEIGHTS_FORMAT;
    }
    return EMULSION_OK;
}

int make_weights(const void *bytes, size_t mapped, Weights **weights) {
    auto *made = static_cast<Weights *>(std::calloc(1, sizeof(Weights)));
    if (made == nullptr) {
        return EMULSION_MEMORY;
    }
    made->content = static_cast<const char *>(bytes) + sizeof(EmulsionWeightsHeader);
    made->mapped = mapped;
    made->users.store(1, std::memory_order_relaxed);
    *weights = made;
    return EMULSION_OK;
}

int map_file(int file, const void **memory, size_t *size) {
    struct stat facts;
    if (fstat(file, &facts) != 0 || !S_ISREG(facts.st_mode) || facts.st_size == 0) {
        return EMULSION_WEIGHTS_FORMAT;
    }
    *size = static_cast<size_t>(facts.st_size);
    void *mapping = mmap(nullptr, *size, PROT_READ, MAP_PRIVATE, file, 0);
    if (mapping == MAP_FAILED) {
        return EMULSION_MEMORY;
    }
    madvise(mapping, *size, MADV_WILLNEED);
    *memory = mapping;
    return EMULSION_OK;
}

}  // namespace

int weights_from_file(const EmulsionProgram *program, const char *path, Weights **weights) {
    // A pipe without a writer would keep us waiting.
    const int file = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    if (file < 0) {
        return EMULSION_WEIGHTS_OPEN;
    }
    const void *memory = nullptr;
    size_t size = 0;
    int error = map_file(file, &memory, &size);
    close(file);
    if (error != EMULSION_OK) {
        return error;
    }
    error = check(program, memory, size);
    if (error == EMULSION_OK) {
        error = make_weights(memory, size, weights);
    }
    if (error != EMULSION_OK) {
        munmap(const_cast<void *>(memory), size);
    }
    return error;
}

int weights_from_memory(const EmulsionProgram *program, const void *bytes, size_t size,
                        Weights **weights) {
    if (reinterpret_cast<uintptr_t>(bytes) % EMULSION_WEIGHTS_ALIGNMENT != 0) {
        return EMULSION_ALIGNMENT;
    }
    const int error = check(program, bytes, size);
    return error != EMULSION_OK ? error : make_weights(bytes, 0, weights);
}

Weights *share_weights(Weights *weights) {
    weights->users.fetch_add(1, std::memory_order_relaxed);
    return weights;
}

void release_weights(Weights *weights) {
    if (weights == nullptr || weights->users.fetch_sub(1, std::memory_order_acq_rel) != 1) {
        return;
    }
    if (weights->mapped > 0) {
        const char *start = weights->content - sizeof(EmulsionWeightsHeader);
        munmap(const_cast<char *>(start), weights->mapped);
    }
    std::free(weights);
}

}  // namespace emulsion::runtime
