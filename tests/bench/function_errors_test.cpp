// The precision that frontend/ops/support/real_functions.h states for f32.
#include "bench/function_errors.h"

#include <gtest/gtest.h>

namespace emulsion {
namespace {

// bench/vector_math looks at all floats.
constexpr int64_t kStride = 9973;

TEST(FunctionErrors, AreWithinTheBoundsOfEveryFunction) {
    for (const RealFunction &function : real_functions()) {
        const FunctionErrors errors = function_errors(function, kStride);
        EXPECT_LE(errors.worst_ulps, function.ulps) << function.name << " of " << errors.worst_at;
        EXPECT_GT(errors.floats, 1000) << function.name;
    }
}

TEST(FunctionErrors, OfAFunctionThatIsOffAreSeen) {
    const RealFunction off = {"a half",
                              [](const Halide::Expr &x) { return x * 0.50000006f; },
                              [](double x) { return x * 0.5; },
                              1.0F,
                              2.0F,
                              0.5};
    const FunctionErrors errors = function_errors(off, 97);
    EXPECT_GT(errors.worst_ulps, 0.9);
    EXPECT_LT(errors.worst_ulps, 2.1);
}

}  // namespace
}  // namespace emulsion
