#include "runtime/open_error.h"

#include <cstdlib>
#include <cstring>

#include <pthread.h>

namespace emulsion::runtime {

namespace {

// Not thread_local: every thread would carry a sentence, and few need one.
pthread_once_t once = PTHREAD_ONCE_INIT;
pthread_key_t key;
bool has_key = false;

void make_key() { has_key = pthread_key_create(&key, std::free) == 0; }

char *sentence() {
    pthread_once(&once, make_key);
    return has_key ? static_cast<char *>(pthread_getspecific(key)) : nullptr;
}

// A thread that ends later must not call into a library that was unloaded.
__attribute__((destructor)) void drop_key() {
    if (has_key) {
        std::free(pthread_getspecific(key));
        pthread_key_delete(key);
        has_key = false;
    }
}

}  // namespace

const char *open_error() {
    const char *text = sentence();
    return text != nullptr ? text : "";
}

void clear_open_error() {
    char *text = sentence();
    if (text != nullptr && has_key) {
        pthread_setspecific(key, nullptr);
        std::free(text);
    }
}

void set_open_error(const char *message) {
    clear_open_error();
    char *text = has_key && message[0] != '\0' ? strdup(message) : nullptr;
    if (text != nullptr && pthread_setspecific(key, text) != 0) {
        std::free(text);
    }
}

}  // namespace emulsion::runtime
