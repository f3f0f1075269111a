/* WEIGHTS INPUT OUTPUT: runs tiny_plain on a file of raw elements, from plain C. */
#include <stdio.h>
#include <stdlib.h>

#include "tiny_plain.h"

static size_t element_count(const tiny_plain_tensor_info *info) {
    size_t count = 1;
    int i;
    for (i = 0; i < info->rank; i++) {
        count *= (size_t)info->shape[i];
    }
    return count;
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
        tiny_plain_input_info(1) != NULL || tiny_plain_output_info(-1) != NULL) {
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
    if (tiny_plain_run(context, inputs, outputs) != tiny_plain_ARGUMENT) {
        return 6;
    }
    inputs[0] = input;
    error = tiny_plain_run(context, inputs, outputs);
    if (error != tiny_plain_OK) {
        fprintf(stderr, "%s: %s\n", tiny_plain_error_text(error), tiny_plain_last_error(context));
        return 7;
    }
    tiny_plain_close(context);

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
