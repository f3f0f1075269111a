#include "runtime/offload.h"

#include <cstdlib>

#include "runtime/halo.h"

namespace emulsion::runtime {

namespace {

// In the order of the generated header's enumeration of types.
constexpr size_t kElementBytes[] = {4, 8, 1, 2, 4, 8, 1, 2, 4, 8, 1};

size_t bytes_of(const EmulsionTensor &tensor) {
    size_t bytes = kElementBytes[tensor.type];
    for (int d = 0; d < tensor.rank; d++) {
        bytes *= static_cast<size_t>(tensor.shape[d]);
    }
    return bytes;
}

// From the view's first element to behind its last one.
size_t spanned_bytes(const EmulsionView &view) {
    int64_t elements = 1;
    for (int d = 0; d < view.dimension_count; d++) {
        const EmulsionDimension &dimension = view.dimensions[d];
        if (dimension.extent <= 0) {
            return 0;
        }
        elements += (int64_t{dimension.extent} - 1) * dimension.stride;
    }
    return static_cast<size_t>(elements) * view.element_bytes;
}

// Bytes from the arena's start; for what lies in it.
int64_t arena_offset(const EmulsionProgram *program, const EmulsionView &view) {
    switch (view.storage) {
    case EMULSION_INPUT: return program->offload->inputs[view.index] + view.offset;
    case EMULSION_OUTPUT: return program->offload->outputs[view.index] + view.offset;
    default: return view.offset;
    }
}

// Returns when `from` may be changed again, also after a failure.
bool upload_now(const Offload &offload, void *to, const void *from, size_t bytes, Message *why) {
    const bool sent = offload.gpu->upload(to, from, bytes, offload.stream, why);
    Message ignored;
    return offload.gpu->synchronize(offload.stream, sent ? why : &ignored) && sent;
}

int open_weights(const Offload &offload, const EmulsionProgram *program, Weights *weights,
                 Message *why) {
    if (weights->device != nullptr) {
        return EMULSION_OK;
    }
    const auto bytes = static_cast<size_t>(program->offload->weights_bytes);
    if (!offload.gpu->allocate(bytes, offload.stream, &weights->device, why)) {
        weights->device = nullptr;
        return EMULSION_MEMORY;
    }
    weights->gpu = offload.gpu;
    weights->device_bytes = bytes;
    if (!upload_now(offload, weights->device, weights->content, bytes, why)) {
        return EMULSION_DEVICE;
    }
    unmap_content(weights);
    return EMULSION_OK;
}

// Kernels write what lies between the halos only, and nothing else writes to the memory of a tensor that
// has one, so the halos of all stay as they are here.
int open_arena(Offload *offload, const EmulsionProgram *program, Message *why) {
    const auto bytes = static_cast<size_t>(program->arena_bytes);
    size_t mapped = 0;
    char *image = map_memory(bytes, &mapped);
    if (image == nullptr) {
        return EMULSION_MEMORY;
    }
    for (int i = 0; i < program->launch_count; i++) {
        const EmulsionLaunch &launch = program->launches[i];
        for (int k = 0; k < launch.fill_count; k++) {
            const EmulsionFill &fill = launch.fills[k];
            const EmulsionView &view = program->views[fill.view];
            fill_halo(view, fill, image + arena_offset(program, view));
        }
    }
    int error = EMULSION_OK;
    void *arena = nullptr;
    if (!offload->gpu->allocate(bytes, offload->stream, &arena, why)) {
        error = EMULSION_MEMORY;
    } else {
        offload->arena = static_cast<char *>(arena);
        error = upload_now(*offload, arena, image, bytes, why) ? EMULSION_OK : EMULSION_DEVICE;
    }
    unmap_memory(image, mapped);
    return error;
}

bool find_outputs(EmulsionContext *context) {
    const EmulsionProgram *program = context->program;
    Offload *offload = context->offload;
    offload->outputs = static_cast<const char **>(
        std::calloc(static_cast<size_t>(program->output_count) + 1, sizeof(char *)));
    if (offload->outputs == nullptr) {
        return false;
    }
    for (int i = 0; i < program->output_count; i++) {
        offload->outputs[i] = offload->arena + program->offload->outputs[i];
    }
    for (int i = 0; i < program->copy_count; i++) {
        const EmulsionCopy &copy = program->copies[i];
        offload->outputs[copy.output] = device_address(context, program->views[copy.view]);
    }
    return true;
}

// The code of a failure that the GPU told.
int failure(EmulsionContext *context, const Message &why) {
    record_error(context, why.text);
    return EMULSION_DEVICE;
}

bool make_room_for_results(EmulsionContext *context) {
    Offload *offload = context->offload;
    if (offload->observed == nullptr) {
        const EmulsionProgram *program = context->program;
        size_t most = 0;
        for (int i = 0; i < program->launch_count; i++) {
            const EmulsionLaunch &launch = program->launches[i];
            const size_t bytes = spanned_bytes(program->views[launch.views[launch.view_count - 1]]);
            most = bytes > most ? bytes : most;
        }
        offload->observed = map_memory(most, &offload->observed_mapped);
    }
    return offload->observed != nullptr;
}

}  // namespace

int open_offload(EmulsionContext *context, Message *why) {
    const EmulsionProgram *program = context->program;
    const EmulsionGpu *gpu = program->offload->gpu;
    int error = gpu->open(program->offload->chips, why);
    if (error != EMULSION_OK) {
        return error;
    }
    auto *offload = static_cast<Offload *>(std::calloc(1, sizeof(Offload)));
    if (offload == nullptr) {
        return EMULSION_MEMORY;
    }
    context->offload = offload;
    offload->gpu = gpu;
    offload->has_stream = gpu->create_stream(&offload->stream, why);
    if (!offload->has_stream) {
        return EMULSION_DEVICE;
    }
    error = open_weights(*offload, program, context->weights, why);
    if (error == EMULSION_OK) {
        error = open_arena(offload, program, why);
    }
    if (error == EMULSION_OK && !find_outputs(context)) {
        error = EMULSION_MEMORY;
    }
    return error;
}

// What fails now can't be helped. The stream goes last: the memory is free when nothing on it runs.
void close_offload(EmulsionContext *context) {
    Offload *offload = context->offload;
    if (offload == nullptr) {
        return;
    }
    Message ignored;
    if (offload->arena != nullptr) {
        (void)offload->gpu->release(offload->arena,
                                    static_cast<size_t>(context->program->arena_bytes),
                                    offload->stream, &ignored);
    }
    release_weights(context->weights, offload->stream);
    context->weights = nullptr;
    if (offload->has_stream) {
        (void)offload->gpu->destroy_stream(offload->stream, &ignored);
    }
    unmap_memory(offload->observed, offload->observed_mapped);
    std::free(static_cast<void *>(offload->outputs));
    std::free(static_cast<void *>(offload));
    context->offload = nullptr;
}

char *device_address(const EmulsionContext *context, const EmulsionView &view) {
    if (view.storage == EMULSION_WEIGHTS) {
        return static_cast<char *>(context->weights->device) + view.offset;
    }
    return context->offload->arena + arena_offset(context->program, view);
}

int upload_inputs(EmulsionContext *context, const void *const *inputs) {
    const EmulsionProgram *program = context->program;
    const Offload &offload = *context->offload;
    Message why;
    for (int i = 0; i < program->input_count; i++) {
        if (!offload.gpu->upload(offload.arena + program->offload->inputs[i], inputs[i],
                                 bytes_of(program->inputs[i]), offload.stream, &why)) {
            return failure(context, why);
        }
    }
    return EMULSION_OK;
}

int download_outputs(EmulsionContext *context, void *const *outputs) {
    const EmulsionProgram *program = context->program;
    const Offload &offload = *context->offload;
    Message why;
    for (int i = 0; i < program->output_count; i++) {
        if (!offload.gpu->download(outputs[i], offload.outputs[i], bytes_of(program->outputs[i]),
                                   offload.stream, &why)) {
            return failure(context, why);
        }
    }
    return EMULSION_OK;
}

int wait_for_device(EmulsionContext *context) {
    Message why;
    return context->offload->gpu->synchronize(context->offload->stream, &why)
               ? EMULSION_OK
               : failure(context, why);
}

int download_result(EmulsionContext *context, const EmulsionView &view, const void **data) {
    if (!make_room_for_results(context)) {
        record_error(context, "no memory on the host for the result of a launch");
        return EMULSION_MEMORY;
    }
    const Offload &offload = *context->offload;
    Message why;
    if (!offload.gpu->download(offload.observed, device_address(context, view), spanned_bytes(view),
                               offload.stream, &why)) {
        return failure(context, why);
    }
    *data = offload.observed;
    return wait_for_device(context);
}

void *stream_of(const EmulsionContext *context) {
    return context != nullptr && context->offload != nullptr ? context->offload->stream : nullptr;
}

}  // namespace emulsion::runtime
