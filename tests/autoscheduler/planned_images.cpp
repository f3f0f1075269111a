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

using Externs = std::map<std::string, Halide::JITExtern>;

// Dense, one for each value of each output.
std::vector<Buffer<>> realize(const ImagePipeline &made, const std::vector<int> &size,
                              const Externs &externs) {
    std::vector<Buffer<>> results;
    for (const Func &output : made.outputs) {
        for (const Halide::Type &type : output.types()) {
            results.emplace_back(type, nullptr, first_of(size, output.dimensions()));
        }
    }
    Halide::Pipeline pipeline(made.outputs);
    pipeline.set_jit_externs(externs);
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

CpuMachine image_machine() {
    CpuMachine machine;
    machine.threads = 2;
    machine.vector_bytes = 32;
    return machine;
}

void estimate_outputs(const ImagePipeline &made) {
    for (const Func &output : made.outputs) {
        estimate(output);
    }
}

Plan plan_of(const ImagePipeline &made) {
    estimate_outputs(made);
    return plan_images(analyze_images(made.outputs), image_machine());
}

std::vector<Buffer<>> run_planned(const MakeImages &make, const ChangePlan &change,
                                  const std::vector<int> &size, const Externs &externs) {
    const ImagePipeline made = make();
    Plan plan = plan_of(made);
    if (change) {
        change(made, plan);
    }
    apply_plan(made.outputs, plan, Halide::get_jit_target_from_environment());
    return realize(made, size, externs);
}

std::vector<Buffer<>> run_stored(const MakeImages &make, const std::vector<int> &size,
                                 const Externs &externs) {
    const ImagePipeline made = make();
    estimate_outputs(made);
    for (const Func &output : made.outputs) {
        store_all_but(made.unbounded, output);
    }
    return realize(made, size, externs);
}

const PlannedMember *member_beginning(const Plan &plan, const std::string &name) {
    for (const PlannedGroup &group : plan.groups) {
        for (const PlannedMember &member : group.members) {
            if (member.op.starts_with(name)) {
                return &member;
            }
        }
    }
    return nullptr;
}

ChangePlan change_nests(const std::function<bool(const PlannedMember &)> &is_meant,
                        const std::map<std::string, int64_t> &parameters) {
    return [=](const ImagePipeline &, Plan &plan) {
        for (PlannedGroup &group : plan.groups) {
            for (PlannedMember &member : group.members) {
                if (is_meant(member)) {
                    for (const auto &[name, value] : parameters) {
                        member.nest.parameters[name] = value;
                    }
                }
            }
        }
    };
}

void expect_equal_images(std::vector<Buffer<>> expected, std::vector<Buffer<>> actual) {
    ASSERT_EQ(expected.size(), actual.size());
    for (size_t i = 0; i < expected.size(); i++) {
        ASSERT_EQ(expected[i].size_in_bytes(), actual[i].size_in_bytes());
        EXPECT_EQ(0, std::memcmp(expected[i].data(), actual[i].data(), expected[i].size_in_bytes()))
            << "output " << i;
    }
}

void expect_same_images(const MakeImages &make, const std::vector<int> &size,
                        const Externs &externs) {
    std::vector<Buffer<>> ours, stored;
    try {
        stored = run_stored(make, size, externs);
        ours = run_planned(make, {}, size, externs);
    } catch (const Halide::Error &e) {
        FAIL() << (stored.empty() ? "stored: " : "planned: ") << e.what();
    }
    expect_equal_images(stored, ours);
}

Buffer<int> image_of_numbers() {
    Buffer<int> buffer(kEstimatedSize[0], kEstimatedSize[1]);
    buffer.for_each_element(
        [&](int x, int y) { buffer(x, y) = (x * 7919 + y * 104729 + x * y) % 251; });
    return buffer;
}

}  // namespace emulsion
