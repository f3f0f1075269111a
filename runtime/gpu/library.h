// A driver's shared library, opened when the program runs, so that programs start on machines without it.
#pragma once

#include "runtime/gpu/message.h"

namespace emulsion::runtime::gpu {

// The first of `names`, which a null ends, that can be opened; or only the file that the environment
// variable `variable` names, if it is set. Null after a sentence, to which `remedy` is added; it is about the
// first that is there but can't be opened, for want of another library say, else about the first name.
void *open_library(const char *const *names, const char *variable, const char *purpose,
                   const char *remedy, Message *why);

// A function of it. Null after a sentence that ends with `needed`: which version has it.
void *find_symbol(void *library, const char *name, const char *purpose, const char *needed,
                  Message *why);

template<typename F>
bool find_function(void *library, const char *name, const char *purpose, const char *needed,
                   F *function, Message *why) {
    void *symbol = find_symbol(library, name, purpose, needed, why);
    *function = reinterpret_cast<F>(symbol);
    return symbol != nullptr;
}

}  // namespace emulsion::runtime::gpu
