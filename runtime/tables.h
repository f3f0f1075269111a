/* The program tables that backend/ generates as C source and that this runtime interprets, and the
 * functions behind an artifact's C API. Plain C99: the text of this file is pasted into the
 * generated source, so it includes nothing but the standard's headers. */
#ifndef EMULSION_RUNTIME_TABLES_H
#define EMULSION_RUNTIME_TABLES_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Error codes; the same numbers as in the generated header. */
enum {
    EMULSION_OK = 0,
    EMULSION_ARGUMENT = 1,
    EMULSION_MEMORY = 2,
    EMULSION_WEIGHTS_OPEN = 3,
    EMULSION_WEIGHTS_FORMAT = 4,
    EMULSION_WEIGHTS_MISMATCH = 5,
    EMULSION_KERNEL = 6,
    EMULSION_BUSY = 7,
    EMULSION_ALIGNMENT = 8,
    EMULSION_NO_DRIVER = 9,
    EMULSION_NO_DEVICE = 10,
    EMULSION_DEVICE = 11
};

/* First 64 bytes of a weights file. */
typedef struct EmulsionWeightsHeader {
    char magic[8];          /* EMULSION_WEIGHTS_MAGIC */
    uint64_t version;       /* EMULSION_WEIGHTS_VERSION */
    uint64_t content_bytes; /* bytes that follow the header */
    uint64_t hash[2];       /* xxhash128 of these bytes: high, low */
    uint64_t zero[3];
} EmulsionWeightsHeader;
#define EMULSION_WEIGHTS_MAGIC "EMULSNWT"
#define EMULSION_WEIGHTS_VERSION 1
/* Where they may begin in memory: kernels rely on it. */
#define EMULSION_WEIGHTS_ALIGNMENT 64

/* As halide_dimension_t. */
typedef struct EmulsionDimension {
    int32_t min, extent, stride;
    uint32_t flags;
} EmulsionDimension;

/* A tensor as callers see it. `type` counts in the order of the generated header's enumeration. */
typedef struct EmulsionTensor {
    const char *name;
    int32_t type;
    int32_t rank;
    const int64_t *shape;
} EmulsionTensor;

enum { EMULSION_ARENA, EMULSION_WEIGHTS, EMULSION_INPUT, EMULSION_OUTPUT };

/* A buffer argument. */
typedef struct EmulsionView {
    int32_t storage;
    int32_t index;     /* which input or output */
    int64_t offset;    /* bytes from the start of the storage to the element at the minima */
    uint8_t type_code; /* as halide_type_t */
    uint8_t type_bits;
    uint8_t dimension_count;
    uint8_t element_bytes;
    int32_t block_axis; /* blocked logical axis or -1; the last dimension then holds its lanes */
    int32_t block;
    const EmulsionDimension *dimensions;
    const EmulsionTensor *tensor;
} EmulsionView;

/* A halo to fill before a launch, or, where nothing else lies in its memory, once, when a context is made.
 * `view` covers the whole allocation. */
typedef struct EmulsionFill {
    int32_t view;
    const int64_t *before; /* per dimension of the view: elements that belong to the halo */
    const int64_t *after;
    uint64_t pattern; /* the value's bits */
    int32_t once;     /* always on a GPU */
} EmulsionFill;

typedef struct EmulsionLaunch {
    int (*call)(void **arguments); /* user context, then the buffers */
    const char *label;
    int32_t view_count;
    const int32_t *views; /* inputs, then the output */
    int32_t fill_count;
    const EmulsionFill *fills;
} EmulsionLaunch;

/* After the last launch: output `output` is copied from `view`, dense. */
typedef struct EmulsionCopy {
    int32_t view;
    int32_t output;
    int64_t bytes;
} EmulsionCopy;

/* What a library says of itself. The same members as in the generated header. */
typedef struct EmulsionInfo {
    const char *name;
    const char *emulsion_version;
    const char *halide_version;
    const char *target;
    const char *policy;
    const char *plan_hash;
    const char *weights_hash;
    int64_t weights_bytes; /* of the file, with its header */
    int64_t arena_bytes, live_bytes;
    int32_t input_count, output_count, launch_count, default_threads;
} EmulsionInfo;

/* A kind of GPU: runtime/gpu/gpu.h. */
typedef struct EmulsionGpu EmulsionGpu;

/* Of a program whose kernels run on a GPU. Its arena is the GPU's memory and has room for the caller's
 * tensors, at these offsets. */
typedef struct EmulsionProgram EmulsionProgram;
typedef struct EmulsionOffload {
    const EmulsionGpu *gpu;
    /* That there is code for, then NULL; NULL itself: the driver makes the code. */
    const char *const *chips;
    const int64_t *inputs;
    const int64_t *outputs;
    uint64_t weights_bytes;          /* of the weights, those that it reads come first */
    const EmulsionProgram *fallback; /* for a CPU, where no GPU can be used; NULL: there is none */
} EmulsionOffload;

struct EmulsionProgram {
    int32_t input_count, output_count, view_count, launch_count, copy_count, default_threads;
    const EmulsionTensor *inputs;
    const EmulsionTensor *outputs;
    const EmulsionView *views;
    const EmulsionLaunch *launches;
    const EmulsionCopy *copies;
    const EmulsionOffload *offload; /* NULL: the CPU runs it */
    int64_t arena_bytes, live_bytes;
    uint64_t weights_bytes;
    uint64_t weights_hash[2];
};

typedef struct EmulsionContext EmulsionContext;

/* What an observer is told after each launch. */
typedef struct EmulsionEvent {
    int launch;
    const char *label;
    double seconds;      /* of the launch with its halo fills */
    double fill_seconds; /* of these, before the kernel was called */
    EmulsionTensor tensor;
    const int64_t *strides; /* per axis, in elements; of the blocks where the axis is blocked */
    int block_axis;         /* or -1 */
    int64_t block;          /* elements of a block, which lie side by side */
    const void *data;       /* element (0, 0, ...) */
} EmulsionEvent;
typedef void (*EmulsionObserver)(const EmulsionEvent *event, void *user);

const char *emulsion_error_text(int code);
int emulsion_open(const EmulsionProgram *program, const char *weights_path, EmulsionContext **out);
int emulsion_open_memory(const EmulsionProgram *program, const void *weights, size_t bytes,
                         EmulsionContext **out);
int emulsion_open_shared(EmulsionContext *other, EmulsionContext **out);
void emulsion_close(EmulsionContext *context);
int emulsion_on_gpu(const EmulsionContext *context);
int emulsion_run(EmulsionContext *context, const void *const *inputs, void *const *outputs,
                 EmulsionObserver observer, void *user);
const char *emulsion_last_error(const EmulsionContext *context);
const char *emulsion_open_error(void);
void emulsion_set_threads(int threads);
int emulsion_threads(int default_threads);

#ifdef __cplusplus
}
#endif

#endif
