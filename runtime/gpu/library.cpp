#include "runtime/gpu/library.h"

#include <cerrno>
#include <cstdlib>
#include <cstring>

#include <dlfcn.h>

namespace emulsion::runtime::gpu {

namespace {

// Symbols stay local: a driver brings a compiler whose names the program may have as well.
void *open_one(const char *name) { return dlopen(name, RTLD_NOW | RTLD_LOCAL); }

const char *reason() {
    const char *text = dlerror();
    return text != nullptr ? text : "unknown reason";
}

// Whether `text` says that there is no such library. What a library needs has another name.
bool is_absent(const char *name, const char *text) {
    const size_t length = std::strlen(name);
    return std::strncmp(text, name, length) == 0 && text[length] == ':' &&
           std::strstr(text, std::strerror(ENOENT)) != nullptr;
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
    bool found = false;
    for (const char *const *name = names; *name != nullptr; name++) {
        if (void *library = open_one(*name); library != nullptr) {
            return library;
        }
        const char *text = reason();
        const bool absent = is_absent(*name, text);
        if (name == names || (!absent && !found)) {
            why->set("%s: %s %s (%s); %s", purpose, *name,
                     absent ? "isn't there" : "can't be opened", text, remedy);
        }
        found = found || !absent;
    }
    return nullptr;
}

void *find_symbol(void *library, const char *name, const char *purpose, const char *needed,
                  Message *why) {
    void *symbol = dlsym(library, name);
    if (symbol == nullptr) {
        why->set("%s: the driver's library has no function %s; it is too old or incomplete: %s",
                 purpose, name, needed);
    }
    return symbol;
}

}  // namespace emulsion::runtime::gpu
