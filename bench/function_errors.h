// How far the real functions of operators (frontend/ops/support/real_functions.h) are from exact arithmetic.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include <Halide.h>

namespace emulsion {

// A function of f32, and what is promised of it.
struct RealFunction {
    std::string name;
    std::function<Halide::Expr(const Halide::Expr &)> computed;
    std::function<double(double)> exact;
    float lowest, highest;  // the floats that are looked at
    // A result is at most `ulps` units of the exact one's last place away, or `absolute`.
    double ulps, absolute = 0.0;
};

// All that vectorise; of powers and activations those that networks have.
const std::vector<RealFunction> &real_functions();

struct FunctionErrors {
    int64_t floats = 0;       // that were looked at
    double worst_ulps = 0.0;  // of those that are further away than `absolute`
    float worst_at = 0.0F;
    double ns = 0.0;  // per element, on one core, of a buffer in its cache; the best of some runs
};

// Looks at every `stride`-th float of the range, and at its ends.
FunctionErrors function_errors(const RealFunction &function, int64_t stride);

}  // namespace emulsion
