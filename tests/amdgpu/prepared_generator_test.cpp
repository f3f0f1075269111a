#include "generators/amdgpu/prepared_generator.h"

#include <gtest/gtest.h>

#include "backend/amdgpu/module.h"
#include "pipelines.h"

namespace emulsion {

namespace {

using Halide::TailStrategy;
using Halide::Var;

// Of any size, in vectors that reach beyond the edge.
class EdgeStencil : public Halide::Generator<EdgeStencil> {
public:
    Input<Halide::Buffer<uint8_t, 2>> image{"image"};
    Output<Halide::Buffer<uint8_t, 2>> result{"result"};

    void generate() {
        const Halide::Func in = Halide::BoundaryConditions::mirror_interior(image);
        result(x, y) = Halide::max(in(x - 1, y), in(x + 1, y));
        Var block("block"), thread("thread"), lanes("lanes");
        result.split(x, thread, lanes, 4, TailStrategy::GuardWithIf)
            .split(thread, block, thread, 64, TailStrategy::GuardWithIf)
            .reorder(lanes, thread, block, y)
            .vectorize(lanes)
            .gpu_threads(thread)
            .gpu_blocks(block, y);
    }

private:
    Var x{"x"}, y{"y"};
};

Halide::Internal::AbstractGeneratorPtr edge_stencil() {
    return EdgeStencil::create(Halide::GeneratorContext(opencl_target("")));
}

}  // namespace

TEST(PreparedGenerator, CompilesVectorsThatReachBeyondAnEdge) {
    EXPECT_THROW(edge_stencil()->build_module("stencil"), Halide::Error);
    PreparedGenerator generator(edge_stencil());
    const HipModule hip = rewrite_for_hip(generator.build_module("stencil"), {"gfx906", "gfx1100"});
    EXPECT_EQ(1u, hip.launches.size());
    EXPECT_FALSE(hip.has_findings());
}

}  // namespace emulsion
