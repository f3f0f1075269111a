// BIAS: runs the networks of write_models.py and the blur, and compares with plain loops.
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <vector>

#include <HalideBuffer.h>

#include "affine.h"
#include "blur.h"
#include "square.h"

namespace {

void expect_close(double actual, double expected, const char *what) {
    if (!(std::abs(actual - expected) <= 1e-4 + 1e-3 * std::abs(expected))) {
        std::fprintf(stderr, "%s: %f instead of %f\n", what, actual, expected);
        std::exit(1);
    }
}

void check(int error, const char *text) {
    if (error != 0) {
        std::fprintf(stderr, "%s\n", text);
        std::exit(1);
    }
}

float value(int i) { return static_cast<float>(i * 37 % 19 - 9) / 8.0F; }

// y = max(x W + bias, 0), x of 5x8, W of 8x6 with W[k][n] = value(6 k + n).
void check_affine(float bias) {
    affine_context *context = nullptr;
    check(affine_open(AFFINE_WEIGHTS, &context), "affine: can't be opened");
    std::vector<float> x(5 * 8), y(5 * 6);
    for (int i = 0; i < 40; i++) {
        x[i] = value(i + 3);
    }
    const void *inputs[] = {x.data()};
    void *outputs[] = {y.data()};
    check(affine_run(context, inputs, outputs), "affine: can't be run");
    affine_close(context);
    for (int m = 0; m < 5; m++) {
        for (int n = 0; n < 6; n++) {
            double sum = bias;
            for (int k = 0; k < 8; k++) {
                sum += double(x[m * 8 + k]) * value(6 * k + n);
            }
            expect_close(y[m * 6 + n], std::fmax(sum, 0.0), "affine");
        }
    }
}

// y = x x + 1, of 3x7.
void check_square() {
    square_context *context = nullptr;
    check(square_open(SQUARE_WEIGHTS, &context), "square: can't be opened");
    std::vector<float> x(21), y(21);
    for (int i = 0; i < 21; i++) {
        x[i] = value(i);
    }
    const void *inputs[] = {x.data()};
    void *outputs[] = {y.data()};
    check(square_run(context, inputs, outputs), "square: can't be run");
    square_close(context);
    for (int i = 0; i < 21; i++) {
        expect_close(y[i], x[i] * x[i] + 1, "square");
    }
}

void check_blur() {
    Halide::Runtime::Buffer<float> input(66, 34), output(64, 32);
    input.for_each_element([&](int x, int y) { input(x, y) = value(x * 5 + y); });
    check(blur(input, output), "blur: failed");
    output.for_each_element([&](int x, int y) {
        double sum = 0;
        for (int i = 0; i < 9; i++) {
            sum += input(x + i % 3, y + i / 3);
        }
        expect_close(output(x, y), sum / 9, "blur");
    });
}

}  // namespace

int main(int argc, char **argv) {
    if (argc != 2) {
        return 2;
    }
    check_affine(static_cast<float>(std::atof(argv[1])));
    check_square();
    check_blur();
    return 0;
}
