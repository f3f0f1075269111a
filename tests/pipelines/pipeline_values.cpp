#include "tests/pipelines/pipeline_values.h"

#include <cmath>
#include <cstdint>
#include <cstdlib>

#include <fmt/format.h>

namespace emulsion::test {

namespace {

using Halide::Buffer;
using Halide::Func;
using Halide::Pipeline;

// Floats are at most 256; sums of as many as an image has are reordered, at each of up to 40 stages.
constexpr double kMostDifference = 256 * 1e-4;

// Of a Func that is stored. Halide's indices have 32 bits, and not all sums that they are made of stay as small as the
// places that they lead to: near 2 GB, which Halide allows, programs read elsewhere or end with a signal.
constexpr size_t kMostBytes = size_t{1} << 28;

// Tiles and vectors that are longer than an axis turns out to be reach beyond it, along several axes at a time.
constexpr size_t kMostBytesScheduled = 4 * kMostBytes;

template<size_t most>
void *allocate(Halide::JITUserContext *, size_t bytes) {
    constexpr size_t kAlignment = 128;
    return bytes > most
               ? nullptr
               : std::aligned_alloc(kAlignment, (bytes + kAlignment) / kAlignment * kAlignment);
}

void release(Halide::JITUserContext *, void *allocated) { std::free(allocated); }

}  // namespace

void store_everything(const RandomPipeline &made) {
    for (const Func &output : made.outputs) {
        for (const auto &[name, function] :
             Halide::Internal::find_transitive_calls(output.function())) {
            Func(function).compute_root();
        }
    }
}

namespace {

Buffers computed_within(const RandomPipeline &made, const Halide::Target &target,
                        void *(*allocate)(Halide::JITUserContext *, size_t)) {
    Buffers results;
    for (size_t i = 0; i < made.outputs.size(); i++) {
        for (const Halide::Type &type : made.outputs[i].types()) {
            results.emplace_back(type, nullptr, made.extents[i]);
        }
    }
    Pipeline pipeline(made.outputs);
    pipeline.set_jit_externs(made.externs);
    pipeline.jit_handlers().custom_malloc = allocate;
    pipeline.jit_handlers().custom_free = release;
    pipeline.realize(Halide::Realization(results), target);
    for (Buffer<> &result : results) {
        result.allocate();
    }
    pipeline.realize(Halide::Realization(results), target);
    size_t next = 0;
    for (size_t i = 0; i < made.outputs.size(); i++) {
        for (size_t value = 0; value < made.outputs[i].types().size(); value++, next++) {
            for (size_t axis = 0; axis < made.extents[i].size(); axis++) {
                results[next].crop(static_cast<int>(axis), 0, made.extents[i][axis]);
            }
            results[next] = results[next].copy();
        }
    }
    return results;
}

}  // namespace

Buffers computed(const RandomPipeline &made, const Halide::Target &target) {
    return computed_within(made, target, allocate<kMostBytesScheduled>);
}

Buffers computed_stored(const RandomPipeline &made, const Halide::Target &target) {
    store_everything(made);
    return computed_within(made, target, allocate<kMostBytes>);
}

std::string difference(const Buffers &expected, const Buffers &found) {
    for (size_t i = 0; i < expected.size(); i++) {
        const size_t count = expected[i].number_of_elements();
        for (size_t at = 0; at < count; at++) {
            double a = 0.0, b = 0.0;
            if (expected[i].type() == Halide::Float(32)) {
                a = static_cast<const float *>(expected[i].data())[at];
                b = static_cast<const float *>(found[i].data())[at];
                if (std::fabs(a - b) <= kMostDifference) {
                    continue;
                }
            } else {
                a = static_cast<const int32_t *>(expected[i].data())[at];
                b = static_cast<const int32_t *>(found[i].data())[at];
                if (a == b) {
                    continue;
                }
            }
            return fmt::format("output {}, element {}: {} instead of {}", i, at, b, a);
        }
    }
    return "";
}

}  // namespace emulsion::test
