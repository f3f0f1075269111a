// Stencils with conditions at the edges, of all sizes of elements, in kernels whose vectors reach beyond the
// image: run through OpenCL, they compute what loops over the image do.
#include <Halide.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "autoscheduler/kernels/kernel_passes.h"
#include "frontend/lower/plugin.h"

namespace emulsion::test {

namespace {

using Halide::Expr;
using Halide::Func;
using Halide::ImageParam;
using Halide::TailStrategy;
using Halide::Type;
using Halide::Var;

// Neither is a multiple of a vector.
constexpr int kWidth = 131, kHeight = 35;
// What the plans of Gao2025 are made for: wide enough for vectors.
constexpr int kPlannedWidth = 1024, kPlannedHeight = 768;
constexpr int kOutside = 3;

enum class Edge { Repeat, Mirror, Constant };
constexpr Edge kEdges[] = {Edge::Repeat, Edge::Mirror, Edge::Constant};

// A window of three elements that reaches beyond all four edges, and its weights.
constexpr int kReach[] = {-1, 0, 1};
int weight(int reach) { return reach + 3; }

int element(int x, int y) { return (x * 7919 + y * 104729 + x * y) % 113; }

int element(int x, int y, Edge edge) {
    const auto within = [&](int at, int size) {
        return edge == Edge::Mirror ? (at < 0       ? -at
                                       : at >= size ? 2 * size - 2 - at
                                                    : at)
                                    : std::clamp(at, 0, size - 1);
    };
    const bool inside = x >= 0 && x < kWidth && y >= 0 && y < kHeight;
    return inside || edge != Edge::Constant ? element(within(x, kWidth), within(y, kHeight))
                                            : kOutside;
}

// Sums of whole numbers over 8 are exact in floats too.
double expected(int x, int y, Edge edge, bool whole) {
    int sum = 0;
    for (const int reach : kReach) {
        sum += element(x + reach, y + reach, edge) * weight(reach);
    }
    const double exact = sum / 8.0;
    return whole ? std::floor(exact) : exact;
}

Func bordered(Edge edge, const ImageParam &image) {
    namespace Edges = Halide::BoundaryConditions;
    switch (edge) {
    case Edge::Repeat: return Edges::repeat_edge(image);
    case Edge::Mirror: return Edges::mirror_interior(image);
    case Edge::Constant:
        return Edges::constant_exterior(image, Halide::cast(image.type(), kOutside));
    }
    return {};
}

// Over an image of any size, with every edge.
struct Stencils {
    explicit Stencils(const Type &type) : image(type, 2, "image") {
        const Type wide = type.is_float() ? type : Halide::Int(32);
        for (const Edge edge : kEdges) {
            const Func in = bordered(edge, image);
            Expr sum = Halide::cast(wide, 0);
            for (const int reach : kReach) {
                sum += Halide::cast(wide, in(x + reach, y + reach)) * weight(reach);
            }
            results.emplace_back("result");
            results.back()(x, y) = Halide::cast(type, sum / 8);
        }
        pipeline = Halide::Pipeline(results);
    }

    ImageParam image;
    Var x{"x"}, y{"y"};
    std::vector<Func> results;
    Halide::Pipeline pipeline;
};

Halide::Target opencl() { return Halide::get_host_target().with_feature(Halide::Target::OpenCL); }

// By hand: four columns to a thread, the last of a row beyond the image.
void schedule_vectors(Stencils &s) {
    for (Func &result : s.results) {
        Var xb("xb"), yb("yb"), xt("xt"), yt("yt"), lanes("lanes");
        result.compute_root()
            .split(s.x, xt, lanes, 4, TailStrategy::GuardWithIf)
            .split(xt, xb, xt, 16, TailStrategy::GuardWithIf)
            .split(s.y, yb, yt, 4, TailStrategy::GuardWithIf)
            .reorder(lanes, xt, yt, xb, yb)
            .vectorize(lanes)
            .gpu_threads(xt, yt)
            .gpu_blocks(xb, yb);
    }
    add_kernel_passes(s.pipeline);
}

void schedule_with_gao2025(Stencils &s) {
    load_gao2025();
    s.image.set_estimates({{0, kPlannedWidth}, {0, kPlannedHeight}});
    for (Func &result : s.results) {
        result.set_estimates({{0, kPlannedWidth}, {0, kPlannedHeight}});
    }
    s.pipeline.apply_autoscheduler(opencl(), {"Gao2025", {}});
}

template<typename T>
void expect_right(void (*schedule)(Stencils &)) {
    Stencils stencils(Halide::type_of<T>());
    schedule(stencils);
    Halide::Buffer<T> data(kWidth, kHeight);
    data.for_each_element([&](int x, int y) { data(x, y) = static_cast<T>(element(x, y)); });
    data.set_host_dirty();
    stencils.image.set(data);
    std::vector<Halide::Buffer<T>> results;
    for (size_t i = 0; i < stencils.results.size(); i++) {
        results.emplace_back(kWidth, kHeight);
    }
    stencils.pipeline.realize({results[0], results[1], results[2]}, opencl());
    for (size_t i = 0; i < results.size(); i++) {
        results[i].copy_to_host();
        int wrong = 0;
        results[i].for_each_element([&](int x, int y) {
            const double right = expected(x, y, kEdges[i], std::is_integral_v<T>);
            wrong += static_cast<double>(results[i](x, y)) == right ? 0 : 1;
        });
        EXPECT_EQ(0, wrong) << "edge " << i;
    }
}

}  // namespace

TEST(GpuStencils, OfBytesAreRightInVectorsByHand) { expect_right<uint8_t>(schedule_vectors); }

TEST(GpuStencils, OfBytesAreRightUnderGao2025) { expect_right<uint8_t>(schedule_with_gao2025); }

TEST(SlowGpuStencils, OfLargerElementsAreRightInVectorsByHand) {
    expect_right<uint16_t>(schedule_vectors);
    expect_right<int16_t>(schedule_vectors);
    expect_right<float>(schedule_vectors);
}

TEST(SlowGpuStencils, OfLargerElementsAreRightUnderGao2025) {
    expect_right<uint16_t>(schedule_with_gao2025);
    expect_right<int16_t>(schedule_with_gao2025);
    expect_right<float>(schedule_with_gao2025);
}

}  // namespace emulsion::test
