#include "tests/autoscheduler/planned_images.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>

#include "autoscheduler/apply.h"
#include "autoscheduler/image_analysis.h"
#include "fusion/image/plan_images.h"

namespace emulsion {

namespace {

using Halide::Buffer;
using Halide::Func;

std::vector<int> first_of(const std::vector<int> &size, int rank) {
    return {size.begin(), size.begin() + rank};
}

void estimate(Func output) {
    for (int axis = 0; axis < output.dimensions(); axis++) {
        output.set_estimate(output.args()[static_cast<size_t>(axis)], 0,
                            kEstimatedSize[static_cast<size_t>(axis)]);
    }
}

void store_all_but(const std::vector<Func> &unbounded, const Func &output) {
    for (const auto &[name, function] :
         Halide::Internal::find_transitive_calls(output.function())) {
        if (std::none_of(unbounded.begin(), unbounded.end(),
                         [&](const Func &f) { return f.name() == name; })) {
            Func(function).compute_root();
        }
    }
}

// Dense, one for each value of each output.
std::vector<Buffer<>> run_images(const MakeImages &make, bool planned, const std::vector<int> &size,
                                 const std::map<std::string, Halide::JITExtern> &externs) {
    const ImagePipeline made = make();
    std::vector<Buffer<>> results;
    for (const Func &output : made.outputs) {
        estimate(output);
        for (const Halide::Type &type : output.types()) {
            results.emplace_back(type, nullptr, first_of(size, output.dimensions()));
        }
    }
    Halide::Pipeline pipeline(made.outputs);
    pipeline.set_jit_externs(externs);
    if (planned) {
        apply_plan(made.outputs, plan_images(analyze_images(made.outputs), image_machine()),
                   Halide::get_jit_target_from_environment());
    } else {
        for (const Func &output : made.outputs) {
            store_all_but(made.unbounded, output);
        }
    }
    pipeline.realize(Halide::Realization(results));  // asks for sizes: tiles may need more
    for (Buffer<> &result : results) {
        result.allocate();
    }
    pipeline.realize(Halide::Realization(results));
    for (Buffer<> &result : results) {
        for (int axis = 0; axis < result.dimensions(); axis++) {
            result.crop(axis, 0, size[static_cast<size_t>(axis)]);
        }
        result = result.copy();
    }
    return results;
}

}  // namespace

Machine image_machine() {
    Machine machine;
    machine.threads = 2;
    machine.vector_bytes = 32;
    return machine;
}

void expect_same_images(const MakeImages &make, const std::vector<int> &size,
                        const std::map<std::string, Halide::JITExtern> &externs) {
    std::vector<Buffer<>> ours, stored;
    try {
        stored = run_images(make, false, size, externs);
        ours = run_images(make, true, size, externs);
    } catch (const Halide::Error &e) {
        FAIL() << (stored.empty() ? "stored: " : "planned: ") << e.what();
    }
    ASSERT_EQ(stored.size(), ours.size());
    for (size_t i = 0; i < stored.size(); i++) {
        ASSERT_EQ(stored[i].size_in_bytes(), ours[i].size_in_bytes());
        EXPECT_EQ(0, std::memcmp(stored[i].data(), ours[i].data(), stored[i].size_in_bytes()))
            << "output " << i;
    }
}

Buffer<int> image_of_numbers() {
    Buffer<int> buffer(kEstimatedSize[0], kEstimatedSize[1]);
    buffer.for_each_element(
        [&](int x, int y) { buffer(x, y) = (x * 7919 + y * 104729 + x * y) % 251; });
    return buffer;
}

}  // namespace emulsion
