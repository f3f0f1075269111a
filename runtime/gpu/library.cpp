#include "runtime/gpu/library.h"

#include <cstdlib>

#include <dlfcn.h>

namespace emulsion::runtime::gpu {

namespace {

// Symbols stay local: a driver brings a compiler whose names the program may have as well.
void *open_one(const char *name) { return dlopen(name, RTLD_NOW | RTLD_LOCAL); }

const char *reason() {
    const char *text = dlerror();
    return text != nullptr ? text : "unknown reason";
}

}  // namespace

void *open_library(const char *const *names, const char *variable, const char *purpose,
                   const char *remedy, Message *why) {
    if (const char *chosen = secure_getenv(variable); chosen != nullptr && *chosen != '\0') {
        void *library = open_one(chosen);
        if (library == nullptr) {
            why->set("%s: the library that %s names can't be opened (%s)", purpose, variable,
                     reason());
        }
        return library;
    }
    for (const char *const *name = names; *name != nullptr; name++) {
        if (void *library = open_one(*name); library != nullptr) {
            return library;
        }
    }
    why->set("%s: %s isn't there (%s); %s", purpose, names[0], reason(), remedy);
    return nullptr;
}

void *find_symbol(void *library, const char *name, const char *purpose, Message *why) {
    void *symbol = dlsym(library, name);
    if (symbol == nullptr) {
        why->set("%s: the driver's library has no function %s; it is too old or incomplete",
                 purpose, name);
    }
    return symbol;
}

}  // namespace emulsion::runtime::gpu
