// Runs both products on the AMD GPU and compares with plain loops. Without a GPU it says why not, and
// ends with 3. With LAUNCHES, numbers are not looked at: for a HIP library that only pretends.
#include <cmath>
#include <cstdio>
#include <cstring>

#include <HalideBuffer.h>
#include <HalideRuntimeHip.h>

#include "planned_product.h"
#include "product.h"

namespace {

constexpr int kSize = 256;

void report(void *, const char *sentence) { std::fprintf(stderr, "%s\n", sentence); }

float value(int i) { return static_cast<float>(i * 37 % 19 - 9) / 8.0F; }

// Whether all is well.
bool check(decltype(&product) multiply, const char *name, bool numbers) {
    Halide::Runtime::Buffer<float> a(kSize, kSize), b(kSize, kSize), c(kSize, kSize);
    a.for_each_element([&](int k, int y) { a(k, y) = value(k + 5 * y); });
    b.for_each_element([&](int x, int k) { b(x, k) = value(3 * x + k); });
    a.set_host_dirty();
    b.set_host_dirty();
    if (multiply(a, b, c) != 0 || c.copy_to_host() != 0) {
        return false;
    }
    for (int i = 0; numbers && i < kSize; i += 7) {
        const int x = i * 11 % kSize;
        double sum = 0;
        for (int k = 0; k < kSize; k++) {
            sum += double(a(k, i)) * b(x, k);
        }
        if (!(std::abs(c(x, i) - sum) <= 1e-3)) {
            std::fprintf(stderr, "%s: %f instead of %f\n", name, c(x, i), sum);
            return false;
        }
    }
    return true;
}

}  // namespace

int main(int argc, char **argv) {
    const bool numbers = !(argc == 2 && std::strcmp(argv[1], "LAUNCHES") == 0);
    halide_set_error_handler(report);
    return check(product, "product", numbers) && check(planned_product, "planned_product", numbers)
               ? 0
               : 3;
}
