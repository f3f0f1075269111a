// What went wrong, in one sentence, and the way it takes to the user.
#pragma once

#include <cstddef>

namespace emulsion::runtime::gpu {

// Longer sentences are cut.
struct Message {
    static constexpr size_t kBytes = 1024;
    char text[kBytes];

    // Always false, so that a function which fails can return it.
    __attribute__((format(printf, 2, 3))) bool set(const char *format, ...);
};

// Hands the sentence to halide_error() and returns `code`, one of halide_error_code_t.
__attribute__((format(printf, 3, 4))) int report(void *user_context, int code, const char *format,
                                                 ...);

}  // namespace emulsion::runtime::gpu
