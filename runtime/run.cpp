// One run of the program: every launch in order, on the calling thread and the pool, or on a GPU.

#include <cstdio>
#include <cstring>

#include "runtime/context.h"
#include "runtime/futex.h"
#include "runtime/offload.h"

namespace emulsion::runtime {

namespace {

constexpr int kMaxRank = 16;

bool all_given(EmulsionContext *context, const char *kind, const void *const *arrays, int count) {
    for (int i = 0; i < count; i++) {
        if (arrays == nullptr || arrays[i] == nullptr) {
            char message[64];
            std::snprintf(message, sizeof message, "%s %d is a null pointer", kind, i);
            record_error(context, message);
            return false;
        }
    }
    return true;
}

// Points the views of the caller's buffers to this run's.
void bind(EmulsionContext *context, const void *const *inputs, void *const *outputs) {
    const EmulsionProgram *program = context->program;
    for (int i = 0; i < program->view_count; i++) {
        const EmulsionView &view = program->views[i];
        const void *base = nullptr;
        if (view.storage == EMULSION_INPUT) {
            base = inputs[view.index];
        } else if (view.storage == EMULSION_OUTPUT) {
            base = outputs[view.index];
        } else {
            continue;
        }
        context->buffers[i].host =
            reinterpret_cast<uint8_t *>(const_cast<void *>(base)) + view.offset;
    }
}

// When a launch began, and when its halos were filled; in nanoseconds.
struct LaunchTimes {
    int64_t start = 0, filled = 0;
};

// Tells the observer of a launch that, if the CPU runs it, has ended.
int report(EmulsionContext *context, int index, const LaunchTimes &times, EmulsionObserver observer,
           void *user) {
    const EmulsionLaunch &launch = context->program->launches[index];
    const int32_t output = launch.views[launch.view_count - 1];
    const EmulsionView &view = context->program->views[output];
    const void *data = context->buffers[output].host;
    int error = context->offload != nullptr ? wait_for_device(context) : EMULSION_OK;
    const double seconds = static_cast<double>(nanoseconds() - times.start) * 1e-9;
    if (error == EMULSION_OK && context->offload != nullptr) {
        error = download_result(context, view, &data);
    }
    if (error != EMULSION_OK) {
        return error;
    }
    int64_t strides[kMaxRank] = {};
    for (int d = 0; d < view.tensor->rank && d < kMaxRank; d++) {
        strides[d] = view.dimensions[d].stride;
    }
    EmulsionEvent event = {};
    event.launch = index;
    event.label = launch.label;
    event.seconds = seconds;
    event.fill_seconds = static_cast<double>(times.filled - times.start) * 1e-9;
    event.tensor = *view.tensor;
    event.strides = strides;
    event.block_axis = view.block_axis;
    event.block = view.block;
    event.data = data;
    observer(&event, user);
    return EMULSION_OK;
}

int launch_all(EmulsionContext *context, EmulsionObserver observer, void *user) {
    const EmulsionProgram *program = context->program;
    void **arguments = context->arguments;
    for (int i = 0; i < program->launch_count; i++) {
        const EmulsionLaunch &launch = program->launches[i];
        LaunchTimes times;
        times.start = observer != nullptr ? nanoseconds() : 0;
        fill_halos(context, launch, false);
        times.filled = observer != nullptr && launch.fill_count > 0 ? nanoseconds() : times.start;
        if (launch.call(arguments) != 0 || context->has_message.load(std::memory_order_relaxed)) {
            record_error(context, "a kernel failed without saying why");
            return EMULSION_KERNEL;
        }
        if (observer != nullptr) {
            const int error = report(context, i, times, observer, user);
            if (error != EMULSION_OK) {
                return error;
            }
        }
        arguments += 1 + launch.view_count;
    }
    return EMULSION_OK;
}

int run_here(EmulsionContext *context, const void *const *inputs, void *const *outputs,
             EmulsionObserver observer, void *user) {
    const EmulsionProgram *program = context->program;
    bind(context, inputs, outputs);
    const int error = launch_all(context, observer, user);
    if (error != EMULSION_OK) {
        return error;
    }
    for (int i = 0; i < program->copy_count; i++) {
        const EmulsionCopy &copy = program->copies[i];
        std::memcpy(outputs[copy.output], context->buffers[copy.view].host,
                    static_cast<size_t>(copy.bytes));
    }
    return EMULSION_OK;
}

// Puts everything on the stream, then waits, even after an error: the caller's memory may be in use.
int run_offloaded(EmulsionContext *context, const void *const *inputs, void *const *outputs,
                  EmulsionObserver observer, void *user) {
    int error = upload_inputs(context, inputs);
    if (error == EMULSION_OK && observer != nullptr) {
        error = wait_for_device(context);  // the first launch's time is its own
    }
    if (error == EMULSION_OK) {
        error = launch_all(context, observer, user);
    }
    if (error == EMULSION_OK) {
        error = download_outputs(context, outputs);
    }
    const int last = wait_for_device(context);
    return error != EMULSION_OK ? error : last;
}

int run(EmulsionContext *context, const void *const *inputs, void *const *outputs,
        EmulsionObserver observer, void *user) {
    const EmulsionProgram *program = context->program;
    if (!all_given(context, "input", inputs, program->input_count) ||
        !all_given(context, "output", outputs, program->output_count)) {
        return EMULSION_ARGUMENT;
    }
    return context->offload != nullptr ? run_offloaded(context, inputs, outputs, observer, user)
                                       : run_here(context, inputs, outputs, observer, user);
}

}  // namespace

}  // namespace emulsion::runtime

using namespace emulsion::runtime;

extern "C" int emulsion_run(EmulsionContext *context, const void *const *inputs,
                            void *const *outputs, EmulsionObserver observer, void *user) {
    if (context == nullptr) {
        return EMULSION_ARGUMENT;
    }
    if (context->running.exchange(true, std::memory_order_acquire)) {
        return EMULSION_BUSY;
    }
    context->has_message.store(false, std::memory_order_relaxed);
    context->message[0] = '\0';
    const int result = run(context, inputs, outputs, observer, user);
    context->running.store(false, std::memory_order_release);
    return result;
}
