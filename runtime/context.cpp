#include "runtime/context.h"

#include <cstdlib>
#include <cstring>

#include "runtime/halo.h"
#include "runtime/offload.h"
#include "runtime/open_error.h"
#include "runtime/scratch.h"
#include "runtime/thread_pool.h"

namespace emulsion::runtime {

namespace {

static_assert(sizeof(EmulsionDimension) == sizeof(halide_dimension_t));

char *storage_base(const EmulsionContext *context, int storage) {
    switch (storage) {
    case EMULSION_ARENA: return context->arena;
    case EMULSION_WEIGHTS: return const_cast<char *>(context->weights->content);
    default: return nullptr;  // the caller's, known when it runs
    }
}

void make_buffers(EmulsionContext *context) {
    const EmulsionProgram *program = context->program;
    for (int i = 0; i < program->view_count; i++) {
        const EmulsionView &view = program->views[i];
        halide_buffer_t &buffer = context->buffers[i];
        std::memset(static_cast<void *>(&buffer), 0, sizeof buffer);
        if (context->offload != nullptr) {
            // Neither side is ever ahead of the other, for all that kernels know: they copy nothing.
            buffer.device = reinterpret_cast<uint64_t>(device_address(context, view));
            buffer.device_interface = context->offload->gpu->device_interface();
        } else if (char *base = storage_base(context, view.storage); base != nullptr) {
            buffer.host = reinterpret_cast<uint8_t *>(base + view.offset);
        }
        buffer.type =
            halide_type_t(static_cast<halide_type_code_t>(view.type_code), view.type_bits, 1);
        buffer.dimensions = view.dimension_count;
        // Kernels only read their buffers' dimensions, so contexts share them.
        buffer.dim = reinterpret_cast<halide_dimension_t *>(
            const_cast<EmulsionDimension *>(view.dimensions));
    }
    void **argument = context->arguments;
    for (int i = 0; i < program->launch_count; i++) {
        const EmulsionLaunch &launch = program->launches[i];
        *argument++ = context;
        for (int k = 0; k < launch.view_count; k++) {
            *argument++ = &context->buffers[launch.views[k]];
        }
    }
}

size_t argument_count(const EmulsionProgram *program) {
    size_t count = 0;
    for (int i = 0; i < program->launch_count; i++) {
        count += 1 + static_cast<size_t>(program->launches[i].view_count);
    }
    return count;
}

int open_memory(EmulsionContext *context, Message *why) {
    const EmulsionProgram *program = context->program;
    if (program->offload != nullptr) {
        return open_offload(context, why);
    }
    context->arena = map_memory(static_cast<size_t>(program->arena_bytes), &context->arena_mapped);
    return context->arena != nullptr ? EMULSION_OK : EMULSION_MEMORY;
}

int fill_context(EmulsionContext *context, Message *why) {
    const EmulsionProgram *program = context->program;
    const int error = open_memory(context, why);
    if (error != EMULSION_OK) {
        return error;
    }
    context->buffers = static_cast<halide_buffer_t *>(
        std::calloc(static_cast<size_t>(program->view_count) + 1, sizeof(halide_buffer_t)));
    context->arguments =
        static_cast<void **>(std::calloc(argument_count(program) + 1, sizeof(void *)));
    if (context->buffers == nullptr || context->arguments == nullptr) {
        return EMULSION_MEMORY;
    }
    make_buffers(context);
    // On a GPU the arena was filled before it was copied there.
    for (int i = 0; i < program->launch_count && context->offload == nullptr; i++) {
        fill_halos(context, program->launches[i], true);
    }
    return EMULSION_OK;
}

void destroy(EmulsionContext *context) {
    const EmulsionOffload *offload = context->program->offload;
    close_offload(context);
    release_weights(context->weights, nullptr);
    unmap_memory(context->arena, context->arena_mapped);
    std::free(context->buffers);
    std::free(static_cast<void *>(context->arguments));
    std::free(context);
    if (release_pool()) {
        scratch_trim();
        if (offload != nullptr) {
            offload->gpu->trim();
        }
    }
}

// Whether the network may run on a CPU because no GPU can be used. The weights must still be on the host,
// where those of a context that got a GPU before are not.
bool may_fall_back(const EmulsionProgram *program, const Weights &weights, int error) {
    return program->offload != nullptr && program->offload->fallback != nullptr &&
           weights.content != nullptr &&
           (error == EMULSION_NO_DRIVER || error == EMULSION_NO_DEVICE);
}

// Takes over one use of `weights`.
int make_context(const EmulsionProgram *program, Weights *weights, EmulsionContext **out) {
    auto *context = static_cast<EmulsionContext *>(std::calloc(1, sizeof(EmulsionContext)));
    if (context == nullptr) {
        release_weights(weights, nullptr);
        return EMULSION_MEMORY;
    }
    context->program = program;
    context->weights = weights;
    acquire_pool(program->default_threads);
    Message why;
    why.text[0] = '\0';
    const int error = fill_context(context, &why);
    if (may_fall_back(program, *weights, error)) {
        share_weights(weights);
        destroy(context);
        return make_context(program->offload->fallback, weights, out);
    }
    if (error != EMULSION_OK) {
        destroy(context);
        set_open_error(why.text);
        return error;
    }
    *out = context;
    return EMULSION_OK;
}

}  // namespace

void fill_halos(const EmulsionContext *context, const EmulsionLaunch &launch, bool once) {
    for (int i = 0; i < launch.fill_count; i++) {
        const EmulsionFill &fill = launch.fills[i];
        if ((fill.once != 0) == once) {
            fill_halo(context->program->views[fill.view], fill,
                      reinterpret_cast<char *>(context->buffers[fill.view].host));
        }
    }
}

void record_error(EmulsionContext *context, const char *message) {
    if (context == nullptr || context->has_message.exchange(true, std::memory_order_acq_rel)) {
        return;
    }
    size_t length = std::strlen(message);
    while (length > 0 && message[length - 1] == '\n') {
        length--;
    }
    if (length >= EmulsionContext::kMessageBytes) {
        length = EmulsionContext::kMessageBytes - 1;
    }
    std::memcpy(context->message, message, length);
    context->message[length] = '\0';
}

}  // namespace emulsion::runtime

using namespace emulsion::runtime;

extern "C" {

int emulsion_open(const EmulsionProgram *program, const char *weights_path, EmulsionContext **out) {
    clear_open_error();
    if (out == nullptr) {
        return EMULSION_ARGUMENT;
    }
    *out = nullptr;
    if (weights_path == nullptr) {
        return EMULSION_ARGUMENT;
    }
    Weights *weights = nullptr;
    const int error = weights_from_file(program, weights_path, &weights);
    return error != EMULSION_OK ? error : make_context(program, weights, out);
}

int emulsion_open_memory(const EmulsionProgram *program, const void *bytes, size_t size,
                         EmulsionContext **out) {
    clear_open_error();
    if (out == nullptr) {
        return EMULSION_ARGUMENT;
    }
    *out = nullptr;
    if (bytes == nullptr) {
        return EMULSION_ARGUMENT;
    }
    Weights *weights = nullptr;
    const int error = weights_from_memory(program, bytes, size, &weights);
    return error != EMULSION_OK ? error : make_context(program, weights, out);
}

int emulsion_open_shared(EmulsionContext *other, EmulsionContext **out) {
    clear_open_error();
    if (out == nullptr) {
        return EMULSION_ARGUMENT;
    }
    *out = nullptr;
    if (other == nullptr) {
        return EMULSION_ARGUMENT;
    }
    return make_context(other->program, share_weights(other->weights), out);
}

void emulsion_close(EmulsionContext *context) {
    if (context != nullptr) {
        destroy(context);
    }
}

int emulsion_on_gpu(const EmulsionContext *context) {
    return context != nullptr && context->offload != nullptr ? 1 : 0;
}

const char *emulsion_last_error(const EmulsionContext *context) {
    return context != nullptr ? context->message : "";
}

const char *emulsion_open_error() { return open_error(); }

void emulsion_set_threads(int count) { set_threads(count); }

// For code that calls kernels without a context.
void emulsion_acquire_pool(int default_threads) { acquire_pool(default_threads); }

int emulsion_release_pool() { return release_pool() ? 1 : 0; }

int emulsion_threads(int default_threads) {
    const int count = threads();
    return count > 0 ? count : default_threads;
}

const char *emulsion_error_text(int code) {
    switch (code) {
    case EMULSION_OK: return "no error";
    case EMULSION_ARGUMENT: return "an argument is null or out of range";
    case EMULSION_MEMORY: return "out of memory";
    case EMULSION_WEIGHTS_OPEN: return "the weights file can't be opened";
    case EMULSION_WEIGHTS_FORMAT: return "the weights are damaged or cut off, or no weights file";
    case EMULSION_WEIGHTS_MISMATCH:
        return "the weights belong to another model, or to another build of this one";
    case EMULSION_KERNEL: return "a kernel failed; the context's last error says why";
    case EMULSION_BUSY: return "the context is running in another thread";
    case EMULSION_ALIGNMENT: return "the weights in memory don't begin at a multiple of 64 bytes";
    case EMULSION_NO_DRIVER: return "the library of the GPU's driver can't be opened";
    case EMULSION_NO_DEVICE: return "there is no GPU that the driver can use, or no code for it";
    case EMULSION_DEVICE: return "the GPU reported an error";
    default: return "unknown error code";
    }
}
}
