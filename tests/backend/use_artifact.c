/* WEIGHTS INPUT OUTPUT: runs tiny_plain on a file of raw elements, from plain C. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tiny_plain.h"

static size_t element_count(const tiny_plain_tensor_info *info) {
    size_t count = 1;
    int i;
    for (i = 0; i < info->rank; i++) {
        count *= (size_t)info->shape[i];
    }
    return count;
}

/* Memory that begins `shift` bytes behind a multiple of the weights' alignment. */
static char *read_aligned(const char *path, size_t shift, size_t *bytes) {
    char *memory = malloc((size_t)tiny_plain_info()->weights_bytes + 4096);
    FILE *file = fopen(path, "rb");
    if (memory == NULL || file == NULL) {
        exit(20);
    }
    memory += tiny_plain_WEIGHTS_ALIGNMENT - (uintptr_t)memory % tiny_plain_WEIGHTS_ALIGNMENT +
              shift; /* never freed */
    *bytes = fread(memory, 1, (size_t)tiny_plain_info()->weights_bytes + 1, file);
    fclose(file);
    return memory;
}

/* Weights from the caller's memory: checked as those of a file, used where they are. */
static int check_memory(const char *path, const void *const *inputs, float *expected,
                        size_t count) {
    tiny_plain_context *context = NULL, *second = NULL;
    size_t bytes, shifted_bytes;
    char *weights = read_aligned(path, 0, &bytes);
    char *shifted = read_aligned(path, 4, &shifted_bytes);
    float *result = malloc(count * sizeof *result);
    void *outputs[1];
    size_t i;

    outputs[0] = result;
    if (bytes != (size_t)tiny_plain_info()->weights_bytes ||
        tiny_plain_open_memory(shifted, shifted_bytes, &context) != tiny_plain_ALIGNMENT ||
        tiny_plain_open_memory(NULL, bytes, &context) != tiny_plain_ARGUMENT ||
        tiny_plain_open_memory(weights, bytes, NULL) != tiny_plain_ARGUMENT ||
        tiny_plain_open_memory(weights, bytes - 1, &context) != tiny_plain_WEIGHTS_FORMAT ||
        tiny_plain_open_memory(weights, 7, &context) != tiny_plain_WEIGHTS_FORMAT ||
        tiny_plain_open_shared(NULL, &context) != tiny_plain_ARGUMENT || context != NULL) {
        return 21;
    }
    weights[bytes / 2] ^= 1;
    if (tiny_plain_open_memory(weights, bytes, &context) != tiny_plain_WEIGHTS_FORMAT) {
        return 22;
    }
    weights[bytes / 2] ^= 1;
    if (tiny_plain_open_memory(weights, bytes, &context) != tiny_plain_OK ||
        tiny_plain_open_shared(context, &second) != tiny_plain_OK) {
        return 23;
    }
    tiny_plain_close(context); /* the other one keeps the weights */
    if (tiny_plain_run(second, inputs, outputs) != tiny_plain_OK) {
        return 24;
    }
    tiny_plain_close(second);
    for (i = 0; i < count; i++) {
        if (result[i] != expected[i]) {
            return 25;
        }
    }
    free(result);
    return 0;
}

int main(int argc, char **argv) {
    tiny_plain_context *context = NULL;
    const tiny_plain_tensor_info *in = tiny_plain_input_info(0);
    const tiny_plain_tensor_info *out = tiny_plain_output_info(0);
    const void *inputs[1];
    void *outputs[1];
    float *input, *output;
    FILE *file;
    int error;

    if (argc != 4 || in == NULL || out == NULL || in->type != tiny_plain_F32 ||
        tiny_plain_input_info(1) != NULL || tiny_plain_output_info(-1) != NULL ||
        strcmp(tiny_plain_info()->name, "tiny_plain") != 0 ||
        tiny_plain_info()->input_count != tiny_plain_input_count() ||
        tiny_plain_info()->launch_count != tiny_plain_launch_count() ||
        tiny_plain_info()->arena_bytes != tiny_plain_arena_bytes() ||
        strlen(tiny_plain_info()->weights_hash) != 32) {
        return 2;
    }
    input = malloc(element_count(in) * sizeof *input);
    output = malloc(element_count(out) * sizeof *output);
    file = fopen(argv[2], "rb");
    if (input == NULL || output == NULL || file == NULL ||
        fread(input, sizeof *input, element_count(in), file) != element_count(in)) {
        return 3;
    }
    fclose(file);

    if (tiny_plain_open("/nonexistent", &context) != tiny_plain_WEIGHTS_OPEN || context != NULL ||
        tiny_plain_open(argv[2], &context) == tiny_plain_OK) {
        return 4;
    }
    error = tiny_plain_open(argv[1], &context);
    if (error != tiny_plain_OK) {
        fprintf(stderr, "%s\n", tiny_plain_error_text(error));
        return 5;
    }
    tiny_plain_set_threads(2);
    inputs[0] = NULL;
    outputs[0] = output;
    if (tiny_plain_run(context, inputs, outputs) != tiny_plain_ARGUMENT ||
        strcmp(tiny_plain_last_error(context), "input 0 is a null pointer") != 0 ||
        tiny_plain_run(NULL, inputs, outputs) != tiny_plain_ARGUMENT) {
        return 6;
    }
    inputs[0] = input;
    error = tiny_plain_run(context, inputs, outputs);
    if (error != tiny_plain_OK) {
        fprintf(stderr, "%s: %s\n", tiny_plain_error_text(error), tiny_plain_last_error(context));
        return 7;
    }
    if (tiny_plain_last_error(context)[0] != '\0' || tiny_plain_threads() != 2) {
        return 9;
    }
    tiny_plain_close(context);
    error = check_memory(argv[1], inputs, output, element_count(out));
    if (error != 0) {
        return error;
    }

    file = fopen(argv[3], "wb");
    if (file == NULL ||
        fwrite(output, sizeof *output, element_count(out), file) != element_count(out) ||
        fclose(file) != 0) {
        return 8;
    }
    free(input);
    free(output);
    return 0;
}
