// What random pipelines are made with keeps to what Halide defines.
#include <gtest/gtest.h>

#include "tests/pipelines/pipeline_maker.h"

namespace emulsion::test {

// Where an integer is made of a narrow float and then of another integer, Halide leaves out the first step; what that
// makes of a float without such an integer is one number in vectors and another elsewhere.
TEST(PipelineMaker, ReadsIntegersOfNarrowFloatsAlikeInVectorsAndElsewhere) {
    constexpr int kCount = 384;
    PipelineMaker maker(1, PipelineSize());
    const std::vector<int> axes{0};
    for (const Halide::Type narrow : {Halide::Float(16), Halide::BFloat(16)}) {
        for (const Halide::Type type :
             {Halide::UInt(8), Halide::Int(8), Halide::UInt(16), Halide::UInt(32)}) {
            for (const int vector : {1, 4, 16, 64}) {
                const Halide::Var x = PipelineMaker::variable(0);
                Halide::Func stored("stored"), read("read"), out("out");
                stored(x) = Halide::cast(narrow, x - 128);
                read(x) = Halide::cast(
                    type, maker.read({stored, axes, narrow}, PipelineMaker::place(axes)));
                out(x) = Halide::cast<int64_t>(read(x));
                stored.compute_root();
                const Halide::Var lane("lane");
                read.compute_root().split(x, x, lane, vector).vectorize(lane);
                const Halide::Buffer<int64_t> values = out.realize({kCount});
                const int64_t modulus = int64_t{1} << type.bits();
                for (int i = 0; i < kCount; i++) {
                    const int64_t apart = values(i) - (i - 128);
                    ASSERT_EQ(0, apart % modulus)
                        << i - 128 << " is " << values(i) << " in vectors of " << vector;
                }
            }
        }
    }
}

}  // namespace emulsion::test
