// What random pipelines are made with keeps to what Halide defines.
#include <gtest/gtest.h>

#include <algorithm>

#include "tests/pipelines/pipeline_maker.h"

namespace emulsion::test {

// Where an integer is made of a narrow float and then of another integer, Halide leaves out the first step, and a clamp
// in between that changes nothing; what that makes of a float without such an integer is one number in vectors and
// another elsewhere.
TEST(PipelineMaker, ReadsIntegersOfNarrowFloatsAlikeInVectorsAndElsewhere) {
    constexpr int kCount = 384;
    PipelineMaker maker(1, PipelineSize());
    const std::vector<int> axes{0};
    const auto expect_values = [&](const Halide::Type &narrow, const Halide::Type &type, int vector,
                                   bool is_inlined) {
        const Halide::Var x = PipelineMaker::variable(0), lane("lane");
        Halide::Func numbers("numbers"), narrowed("narrowed"), read("read"), out("out");
        numbers(x) = x - 128;
        narrowed(x) = Halide::cast(narrow, is_inlined ? numbers(x) & 255 : numbers(x));
        read(x) =
            Halide::cast(type, maker.read({narrowed, axes, narrow}, PipelineMaker::place(axes)));
        out(x) = Halide::cast<int64_t>(read(x));
        numbers.compute_root();
        if (!is_inlined) {
            narrowed.compute_root();
        }
        read.compute_root().split(x, x, lane, vector).vectorize(lane);
        const Halide::Buffer<int64_t> values = out.realize({kCount});
        for (int i = 0; i < kCount; i++) {
            const int number = is_inlined ? (i - 128) & 255 : i - 128;
            ASSERT_EQ(std::clamp(number, 0, 127), values(i))
                << number << " in vectors of " << vector;
        }
    };
    for (const Halide::Type narrow : {Halide::Float(16), Halide::BFloat(16)}) {
        for (const Halide::Type type :
             {Halide::UInt(8), Halide::Int(8), Halide::UInt(16), Halide::UInt(32)}) {
            for (const int vector : {1, 4, 16, 64}) {
                expect_values(narrow, type, vector, false);
                expect_values(narrow, type, vector, true);
            }
        }
    }
}

// Products of two fit 32 bits, which Halide takes for never overflowing.
TEST(PipelineMaker, KeepsIntegersSmallInEveryType) {
    constexpr int kLeast = -128, kMost = 255;
    PipelineMaker maker(1, PipelineSize());
    const std::vector<int> axes{0};
    std::vector<Halide::Type> tried;
    for (int drawn = 0; drawn < 100; drawn++) {
        const Halide::Type type = maker.some_type(false);
        if (std::find(tried.begin(), tried.end(), type) != tried.end()) {
            continue;
        }
        tried.push_back(type);
        const Halide::Var x = PipelineMaker::variable(0);
        Halide::Func numbers("numbers"), stored("stored"), read("read");
        numbers(x) = x + kLeast;
        stored(x) = PipelineMaker::stored_as(type, numbers(x));
        read(x) = maker.read({stored, axes, type}, PipelineMaker::place(axes));
        numbers.compute_root();
        stored.compute_root();
        const Halide::Buffer<int> values = read.realize({kMost - kLeast + 1});
        for (int i = 0; i < values.width(); i++) {
            ASSERT_GE(values(i), kLeast) << type;
            ASSERT_LE(values(i), kMost) << type;
        }
    }
}

}  // namespace emulsion::test
