// A driver's shared library, opened when the program runs, so that programs start on machines without it.
#pragma once

#include "runtime/gpu/message.h"

namespace emulsion::runtime::gpu {

// The first of `names`, which a null ends, that can be opened; or only the file that the environment
// variable `variable` names, if it is set. Null after a sentence, to which `remedy` is added.
void *open_library(const char *const *names, const char *variable, const char *purpose,
                   const char *remedy, Message *why);

// A function of it. Null after a sentence.
void *find_symbol(void *library, const char *name, const char *purpose, Message *why);

template<typename F>
bool find_function(void *library, const char *name, const char *purpose, F *function,
                   Message *why) {
    void *symbol = find_symbol(library, name, purpose, why);
    *function = reinterpret_cast<F>(symbol);
    return symbol != nullptr;
}

}  // namespace emulsion::runtime::gpu
