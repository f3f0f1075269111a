// What Halide's kernels call. These strong symbols take the place of the weak ones of Halide's own
// runtime when an artifact is linked; nothing of them is visible outside of it.

#include <HalideRuntime.h>

#include "runtime/context.h"
#include "runtime/scratch.h"
#include "runtime/thread_pool.h"

extern "C" {

int halide_do_par_for(void *user_context, halide_task_t task, int min, int size, uint8_t *closure) {
    return emulsion::runtime::parallel_for(user_context, task, min, size, closure);
}

void *halide_malloc(void *, size_t bytes) { return emulsion::runtime::scratch_allocate(bytes); }

void halide_free(void *, void *block) { emulsion::runtime::scratch_release(block); }

// Halide's own would abort. The kernel returns an error code after this.
void halide_error(void *user_context, const char *message) {
    emulsion::runtime::record_error(static_cast<EmulsionContext *>(user_context), message);
}
}
