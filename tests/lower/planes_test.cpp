// Implementations whose vectors run along the rows of planes, as callers lay images out.
#include <gtest/gtest.h>

#include <algorithm>
#include <functional>

#include <fmt/format.h>

#include "tests/lower/execution.h"
#include "tests/lower/forced_implementations.h"

namespace emulsion::test {

namespace {

// Vectors along rows of planes: widths around those of vectors, strides, dilations, groups.
void expect_planes_of_convolutions(const std::vector<int64_t> &widths) {
    const auto expect = [](const char *name, const Shape &image, const ConvShape &shape) {
        NetworkMaker m(static_cast<uint64_t>(image.back()));
        m.conv(m.input(image), shape);
        SCOPED_TRACE(fmt::format("{} width {} stride {}", name, image.back(), shape.stride));
        expect_right_with(name, m.finish_all(), 1);
    };
    for (const int64_t width : widths) {
        const int64_t stride = 1 + width % 2;
        expect(stride == 1 ? "flattened_planes" : "planar", {2, 7, 3, width + 4},
               {.channels = 10, .stride = stride});
        expect("padded_planes", {1, 5, 6, width * stride},
               {.channels = 9, .kernel = 3, .stride = stride, .padding = 1});
        expect("padded_planes", {2, 6, 5, width * stride},
               {.channels = 6, .kernel = 5, .stride = stride, .padding = 2, .group = 6});
        expect("grouped_planes", {1, 12, 5, width * stride},
               {.channels = 15, .kernel = 3, .stride = stride, .padding = 1, .group = 3});
        expect("grouped_planes", {1, 8, 2, width}, {.channels = 8, .group = 2, .bias = false});
    }
    expect("padded_planes", {1, 3, 5, 9}, {.channels = 6, .kernel = 3, .padding = 1, .group = 3});
    expect("padded_planes", {1, 3, 9, 11},
           {.channels = 4, .kernel = 3, .dilation = 2, .padding = 3, .bias = false});
}

}  // namespace

TEST(Planes, OfConvolutionsAreRight) { expect_planes_of_convolutions({5}); }

TEST(SlowPlanes, OfConvolutionsAreRight) { expect_planes_of_convolutions({4, 15, 16, 17, 33}); }

// Columns by their phase: kernels that are a multiple of the stride and not, one phase of which fewer columns are read, rows
// that are dilated, images without an axis of rows.
TEST(Planes, OfConvolutionsByPhasesAreRight) {
    const auto expect = [](const Shape &image, const ConvShape &shape) {
        NetworkMaker m(static_cast<uint64_t>(image.back()));
        m.unary("Relu", m.conv(m.input(image), shape));
        SCOPED_TRACE(
            fmt::format("width {} stride {} kernel {}", image.back(), shape.stride, shape.kernel));
        expect_right_with("phased_planes", m.finish_all(), 1);
    };
    expect({1, 3, 13, 37}, {.channels = 5, .kernel = 7, .stride = 2, .padding = 3});
    expect({2, 3, 12, 24}, {.channels = 9, .kernel = 4, .stride = 4, .bias = false});
    expect({1, 4, 11, 71}, {.channels = 4, .kernel = 5, .stride = 3, .padding = 2, .group = 4});
    expect({1, 4, 9, 34}, {.channels = 8, .kernel = 3, .stride = 2, .padding = 1, .group = 4});

    NetworkMaker m(1);
    const TensorId row = m.input({2, 3, 29});
    m.node("Conv", {row, m.constant({4, 3, 3})}, {2, 4, 9},
           {{"strides", std::vector<int64_t>{3}}, {"pads", std::vector<int64_t>{0, 0}}});
    expect_right_with("phased_planes", m.finish_all(), 1);
    NetworkMaker dilated(2);
    dilated.node(
        "Conv", {dilated.input({1, 2, 9, 20}), dilated.constant({3, 2, 3, 2})}, {1, 3, 5, 10},
        {{"strides", std::vector<int64_t>{1, 2}}, {"dilations", std::vector<int64_t>{2, 1}}});
    expect_right_with("phased_planes", dilated.finish_all(), 1);
}

TEST(Planes, OfPoolsAreRight) {
    for (const int64_t stride : {1, 2, 3}) {
        for (const char *type : {"MaxPool", "AveragePool"}) {
            for (const int64_t counts : {0, 1}) {
                NetworkMaker m(static_cast<uint64_t>(stride));
                const TensorId x = m.input({2, 3, 8, 23});
                // The last window may be larger than the padded image, but doesn't begin behind it.
                const auto extent = [&](int64_t n) {
                    const int64_t count = (n - 1 + stride - 1) / stride + 1;
                    return (count - 1) * stride > n ? count - 1 : count;
                };
                std::map<std::string, Attribute> attributes = {
                    {"kernel_shape", std::vector<int64_t>{3, 3}},
                    {"strides", std::vector<int64_t>{stride, stride}},
                    {"pads", std::vector<int64_t>{1, 1, 1, 1}},
                    {"ceil_mode", int64_t{1}}};
                if (std::string(type) == "AveragePool") {
                    attributes["count_include_pad"] = counts;
                }
                m.node(type, {x}, {2, 3, extent(8), extent(23)}, attributes);
                SCOPED_TRACE(fmt::format("{} stride {} {}", type, stride, counts));
                expect_right_with("padded_planes", m.finish_all(), 1);
            }
        }
    }
}

// Windows that have nothing in common are walked as the planes lie in memory, all columns of a row first.
TEST(Planes, OfPoolsWithoutOverlapAreRight) {
    for (const int64_t size : {2, 3}) {
        for (const int64_t columns : {5, 16, 33, 50}) {
            NetworkMaker m(static_cast<uint64_t>(columns));
            m.pool(size == 2 ? "MaxPool" : "AveragePool",
                   m.input({2, 3, size * 5 + 1, size * columns + size - 1}), size, size, 0);
            SCOPED_TRACE(fmt::format("{} columns of {}", columns, size));
            expect_right_with("planar", m.finish_all(), 1);
        }
    }
}

// Their results are stored interleaved, as many vectors together as the stride is long, where that divides the row.
TEST(Planes, OfTransposedConvolutionsAreRight) {
    for (const int64_t stride : {2, 3}) {
        for (const int64_t width : {5, 16}) {
            NetworkMaker m(static_cast<uint64_t>(width));
            const TensorId x = m.input({2, 5, 3, width});
            m.node("ConvTranspose", {x, m.constant({5, 7, stride, stride}), m.constant({7})},
                   {2, 7, 3 * stride, width * stride},
                   {{"strides", std::vector<int64_t>{stride, stride}}});
            SCOPED_TRACE(fmt::format("width {} stride {}", width, stride));
            expect_right_with("planes_of_phases", m.finish_all(), 1);
        }
    }
}

TEST(Planes, OfReductionsAreRight) {
    const auto expect = [](const char *name, const Shape &shape, const std::vector<int64_t> &axes,
                           int64_t keep) {
        for (const char *type : {"ReduceSum", "ReduceLogSumExp"}) {
            Shape result = shape;
            for (auto axis = axes.rbegin(); axis != axes.rend(); ++axis) {
                result[static_cast<size_t>(*axis)] = 1;
                if (keep == 0) {
                    result.erase(result.begin() + static_cast<ptrdiff_t>(*axis));
                }
            }
            NetworkMaker m(static_cast<uint64_t>(shape.back()));
            std::map<std::string, Attribute> attributes = {{"keepdims", keep}, {"axes", axes}};
            m.node(type, {m.input(shape)}, result, attributes);
            SCOPED_TRACE(fmt::format("{} {} columns {}", type, name, shape.back()));
            expect_right_with(name, m.finish_all(), 1);
        }
    };
    expect("planar", {7, 33}, {0}, 0);
    expect("planar", {43, 259}, {0}, 1);
    expect("planar", {2, 16, 1031}, {1}, 1);
    expect("planar", {2, 3, 4, 5, 17}, {1, 3}, 1);
    expect("flattened_planes", {1, 13, 3, 7}, {1}, 1);
    expect("flattened_planes", {3, 4, 5, 18}, {0, 1}, 0);
}

// Neither is the network's input laid out anew, nor its output.
TEST(Planes, AreTakenWhereTheCallersLayoutMeetsALayerThatComputesLittle) {
    NetworkMaker m(1);
    m.conv(m.input({1, 144, 56, 150}),
           {.channels = 144, .kernel = 3, .stride = 2, .padding = 1, .group = 144});
    const PlannedNetwork network = plan_network(m.finish_all(), {.threads = 2});
    EXPECT_EQ("phased_planes", network.choices.at(0).implementation);
    EXPECT_TRUE(std::none_of(network.plan.groups.begin(), network.plan.groups.end(),
                             [](const PlannedGroup &g) { return g.kind == GroupKind::Convert; }));
    EXPECT_EQ(1, std::count_if(network.plan.groups.begin(), network.plan.groups.end(),
                               [](const PlannedGroup &g) { return g.kind == GroupKind::Compute; }))
        << describe(network);
}

// Inside of a network channels lie innermost.
TEST(Planes, AreOfferedFromInputsToOutputsOnly) {
    const auto offered = [](const std::function<void(NetworkMaker &)> &make,
                            const std::string &target = "host") {
        NetworkMaker m(1);
        make(m);
        size_t count = 0;
        for (const auto &choice :
             plan_network(m.finish_all(), {.target = target, .threads = 2}).choices) {
            count += choice.alone.count("padded_planes");
        }
        return count;
    };
    const ConvShape shape{.channels = 4, .kernel = 3, .padding = 1};
    const Shape image{1, 4, 9, 9};
    const auto alone = [&](NetworkMaker &m) { m.unary("Relu", m.conv(m.input(image), shape)); };
    const auto chain = [&](NetworkMaker &m) { m.conv(m.conv(m.input(image), shape), shape); };
    const auto inside = [&](NetworkMaker &m) { m.conv(m.unary("Relu", m.input(image)), shape); };
    EXPECT_EQ(1U, offered(alone));
    EXPECT_EQ(0U, offered(chain));
    EXPECT_EQ(0U, offered(inside));
    EXPECT_EQ(0U, offered(alone, "amdgpu-gfx906"));
}

}  // namespace emulsion::test
