#include "runtime/weights.h"

#include <cerrno>
#include <cstdint>
#include <cstdlib>
#include <cstring>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>
#define XXH_INLINE_ALL
#include <xxhash.h>

#include "runtime/context.h"
#include "runtime/gpu/gpu.h"

namespace emulsion::runtime {

namespace {

static_assert(sizeof(EmulsionWeightsHeader) == EMULSION_WEIGHTS_ALIGNMENT);

// The header of a file or buffer of `size` bytes in all.
int check_header(const EmulsionProgram *program, const EmulsionWeightsHeader &header, size_t size) {
    if (std::memcmp(header.magic, EMULSION_WEIGHTS_MAGIC, sizeof header.magic) != 0 ||
        header.version != EMULSION_WEIGHTS_VERSION ||
        header.content_bytes != size - sizeof header) {
        return EMULSION_WEIGHTS_FORMAT;
    }
    if (header.content_bytes != program->weights_bytes ||
        header.hash[0] != program->weights_hash[0] || header.hash[1] != program->weights_hash[1]) {
        return EMULSION_WEIGHTS_MISMATCH;
    }
    return EMULSION_OK;
}

// Reads all of it. A changed bit would otherwise be a wrong result that nobody notices, and the first
// run reads every byte anyway.
int check_content(const EmulsionWeightsHeader &header, const char *content) {
    const XXH128_hash_t hash = XXH3_128bits(content, static_cast<size_t>(header.content_bytes));
    return hash.high64 == header.hash[0] && hash.low64 == header.hash[1] ? EMULSION_OK
                                                                         : EMULSION_WEIGHTS_FORMAT;
}

int make_weights(const char *content, size_t mapped, Weights **weights) {
    auto *made = static_cast<Weights *>(std::calloc(1, sizeof(Weights)));
    if (made == nullptr) {
        return EMULSION_MEMORY;
    }
    made->content = content;
    made->mapped = mapped;
    made->users.store(1, std::memory_order_relaxed);
    *weights = made;
    return EMULSION_OK;
}

bool read_all(int file, void *to, size_t bytes) {
    auto *at = static_cast<char *>(to);
    while (bytes > 0) {
        const ssize_t got = read(file, at, bytes);
        if (got < 0 && errno == EINTR) {
            continue;
        }
        if (got <= 0) {
            return false;
        }
        at += got;
        bytes -= static_cast<size_t>(got);
    }
    return true;
}

// Into memory of our own, on huge pages: kernels stream through the weights, and on small pages of a mapped
// file that takes 5 to 10 % longer where they don't stay in the caches.
int read_file(const EmulsionProgram *program, int file, Weights **weights) {
    struct stat facts;
    EmulsionWeightsHeader header;
    if (fstat(file, &facts) != 0 || !S_ISREG(facts.st_mode) ||
        facts.st_size < static_cast<off_t>(sizeof header) ||
        !read_all(file, &header, sizeof header)) {
        return EMULSION_WEIGHTS_FORMAT;
    }
    int error = check_header(program, header, static_cast<size_t>(facts.st_size));
    if (error != EMULSION_OK) {
        return error;
    }
    const auto bytes = static_cast<size_t>(header.content_bytes);
    size_t mapped = 0;
    char *content = map_memory(bytes, &mapped);
    if (content == nullptr) {
        return EMULSION_MEMORY;
    }
    error =
        read_all(file, content, bytes) ? check_content(header, content) : EMULSION_WEIGHTS_FORMAT;
    if (error == EMULSION_OK) {
        error = make_weights(content, mapped, weights);
    }
    if (error != EMULSION_OK) {
        unmap_memory(content, mapped);
    }
    return error;
}

}  // namespace

int weights_from_file(const EmulsionProgram *program, const char *path, Weights **weights) {
    // A pipe without a writer would keep us waiting.
    const int file = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    if (file < 0) {
        return EMULSION_WEIGHTS_OPEN;
    }
    const int error = read_file(program, file, weights);
    close(file);
    return error;
}

int weights_from_memory(const EmulsionProgram *program, const void *bytes, size_t size,
                        Weights **weights) {
    if (reinterpret_cast<uintptr_t>(bytes) % EMULSION_WEIGHTS_ALIGNMENT != 0) {
        return EMULSION_ALIGNMENT;
    }
    EmulsionWeightsHeader header;
    if (size < sizeof header) {
        return EMULSION_WEIGHTS_FORMAT;
    }
    std::memcpy(&header, bytes, sizeof header);
    const char *content = static_cast<const char *>(bytes) + sizeof header;
    int error = check_header(program, header, size);
    if (error == EMULSION_OK) {
        error = check_content(header, content);
    }
    return error != EMULSION_OK ? error : make_weights(content, 0, weights);
}

void unmap_content(Weights *weights) {
    if (weights->mapped > 0) {
        unmap_memory(weights->content, weights->mapped);
    }
    weights->content = nullptr;
    weights->mapped = 0;
}

Weights *share_weights(Weights *weights) {
    weights->users.fetch_add(1, std::memory_order_relaxed);
    return weights;
}

void release_weights(Weights *weights, void *stream) {
    if (weights == nullptr || weights->users.fetch_sub(1, std::memory_order_acq_rel) != 1) {
        return;
    }
    unmap_content(weights);
    if (weights->device != nullptr) {
        gpu::Message ignored;
        (void)weights->gpu->release(weights->device, weights->device_bytes, stream, &ignored);
    }
    std::free(weights);
}

}  // namespace emulsion::runtime
