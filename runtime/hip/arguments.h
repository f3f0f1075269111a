// A kernel's arguments as the GPU reads them.
#pragma once

#include "runtime/gpu/driver.h"

namespace emulsion::runtime::gpu {

// Each at the next multiple of its own size, which is how compilers lay out pointers and scalars.
struct PackedArguments {
    // As much as a kernel can take in the models that HIP shares with CUDA.
    static constexpr size_t kMaxBytes = 4096;
    alignas(8) unsigned char bytes[kMaxBytes];
    size_t size;  // bytes
};

// Buffers become their 8-byte device addresses. `kernel` is its name for the sentence.
bool pack_arguments(const Launch &launch, const char *kernel, PackedArguments *packed,
                    Message *why);

}  // namespace emulsion::runtime::gpu
