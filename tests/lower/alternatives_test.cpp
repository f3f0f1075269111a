// Implementations that are several operators: what each computes, and what is decided.
#include <gtest/gtest.h>

#include <algorithm>
#include <functional>

#include <fmt/format.h>

#include "frontend/graph/pass.h"
#include "frontend/lower/network.h"
#include "tests/lower/cpu_targets.h"
#include "tests/lower/execution.h"
#include "tests/lower/network_maker.h"

namespace emulsion::test {

namespace {

// Every operator that has an implementation of that name, forced to it.
PlanOptions forcing(const Graph &graph, const std::string &implementation, PlanOptions options) {
    for (const OperatorChoice &choice : plan_network(graph, options).choices) {
        if (choice.alone.count(implementation) != 0) {
            options.implementations[choice.name] = implementation;
        }
    }
    return options;
}

void expect_right(const Graph &graph, const std::string &implementation, size_t operators) {
    const TensorValues inputs = random_inputs(graph, 1);
    const TensorValues reference = evaluate_reference(graph, inputs);
    for (const std::string &target : cpu_targets()) {
        const PlanOptions options =
            forcing(graph, implementation, {.target = target, .threads = 2, .checked = true});
        EXPECT_EQ(operators, options.implementations.size());
        const PlannedNetwork network = plan_network(graph, options);
        EXPECT_EQ("", run_and_compare(network, inputs, reference)) << describe(network);
    }
}

void expect_right_by_winograd(const Graph &graph) {
    for (const char *name : {"winograd_2x2", "winograd_4x4"}) {
        SCOPED_TRACE(name);
        expect_right(graph, name, 1);
    }
}

Shape random_image(NetworkMaker &m, int64_t least) {
    const auto draw = [&](int64_t low, int64_t high) {
        return std::uniform_int_distribution<int64_t>(low, high)(m.engine());
    };
    return {draw(1, 2), draw(1, 19), draw(least, 13), draw(least, 13)};
}

}  // namespace

TEST(FlattenedPixels, OfConvolutionsAndTheirEpiloguesAreRight) {
    for (uint64_t seed = 1; seed <= 6; seed++) {
        NetworkMaker m(seed);
        const TensorId x = m.input(random_image(m, 2));
        const TensorId y = m.conv(x, {.channels = 1 + static_cast<int64_t>(seed * 5 % 23)});
        const TensorId scaled = m.binary("Mul", y, m.constant({m.shape(y)[1], 1, 1}));
        m.binary("Add", m.unary("Relu", scaled), m.conv(x, {.channels = m.shape(y)[1]}));
        expect_right(m.finish_all(), "flattened_pixels", 5);
    }
}

TEST(FlattenedAxes, OfReductionsAreRight) {
    for (uint64_t seed = 1; seed <= 6; seed++) {
        NetworkMaker m(seed);
        const TensorId x = m.input(random_image(m, 2));
        m.global_average_pool(m.unary("Relu", x));
        m.mean(x, {2, 3}, seed % 2 == 0);
        m.mean(x, {1, 2, 3}, true);
        expect_right(m.finish_all(), "flattened_axes", 3);
    }
}

// Rows of a network's input are added up where they lie, instead of laying channels innermost first.
TEST(FlattenedAxes, OfAnInputAreTaken) {
    NetworkMaker m(1);
    m.global_average_pool(m.input({1, 304, 40, 40}));
    const PlannedNetwork network = plan_network(m.finish_all(), {.threads = 2});
    EXPECT_EQ("flattened_axes", network.choices.at(0).implementation);
    EXPECT_TRUE(std::none_of(network.plan.groups.begin(), network.plan.groups.end(),
                             [](const PlannedGroup &g) { return g.kind == GroupKind::Convert; }));
}

TEST(Winograd, OfRandomImagesIsRight) {
    for (uint64_t seed = 1; seed <= 5; seed++) {
        NetworkMaker m(seed);
        const int64_t padding = static_cast<int64_t>(seed % 3);
        const TensorId x = m.input(random_image(m, 3));
        const TensorId y = m.conv(x, {.channels = 1 + static_cast<int64_t>(seed * 7 % 21),
                                      .kernel = 3,
                                      .padding = padding,
                                      .bias = seed % 2 == 0});
        m.unary("Relu", y);
        expect_right_by_winograd(m.finish_all());
    }
}

TEST(Winograd, OfPadsThatDifferIsRight) {
    for (const std::vector<int64_t> &pads :
         {std::vector<int64_t>{0, 0, 2, 2}, {2, 1, 0, 0}, {0, 3, 1, 5}, {7, 0, 0, 8}}) {
        NetworkMaker m(1);
        const TensorId x = m.input({1, 5, 6, 7});
        m.node("Conv", {x, m.constant({9, 5, 3, 3})},
               {1, 9, 4 + pads[0] + pads[2], 5 + pads[1] + pads[3]}, {{"pads", pads}});
        expect_right_by_winograd(m.finish_all());
    }
}

// Transforms are computed a tile at a time; those of a large image, and the product, for a few rows of tiles at a time.
TEST(Winograd, TransformsAndProductOfALargeImageArePanels) {
    NetworkMaker m(1);
    m.conv(m.input({1, 64, 112, 112}), {.channels = 64, .kernel = 3, .padding = 1});
    const Graph graph = m.finish_all();
    for (const std::string &target : cpu_targets()) {
        const PlannedNetwork network =
            plan_network(graph, forcing(graph, "winograd_4x4", {.target = target, .threads = 2}));
        std::map<std::string, int> nests, stages;
        for (const PlannedGroup &group : network.plan.groups) {
            for (const PlannedMember &member : group.members) {
                nests[member.nest.template_name]++;
                stages[member.op] = static_cast<int>(group.members.size());
            }
        }
        EXPECT_EQ(2, nests["tile_transform"]) << describe(network);
        EXPECT_EQ(1, nests["convolution"]) << describe(network);
        EXPECT_TRUE(std::any_of(stages.begin(), stages.end(), [](const auto &op) {
            return op.second == 3;
        })) << describe(network);
    }
}

// Vectors along rows of planes: widths around those of vectors, strides, dilations, groups.
void expect_planes_of_convolutions(const std::vector<int64_t> &widths) {
    const auto expect = [](const char *name, const Shape &image, const ConvShape &shape) {
        NetworkMaker m(static_cast<uint64_t>(image.back()));
        m.conv(m.input(image), shape);
        SCOPED_TRACE(fmt::format("{} width {} stride {}", name, image.back(), shape.stride));
        expect_right(m.finish_all(), name, 1);
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
        expect_right(m.finish_all(), "phased_planes", 1);
    };
    expect({1, 3, 13, 37}, {.channels = 5, .kernel = 7, .stride = 2, .padding = 3});
    expect({2, 3, 12, 24}, {.channels = 9, .kernel = 4, .stride = 4, .bias = false});
    expect({1, 4, 11, 71}, {.channels = 4, .kernel = 5, .stride = 3, .padding = 2, .group = 4});
    expect({1, 4, 9, 34}, {.channels = 8, .kernel = 3, .stride = 2, .padding = 1, .group = 4});

    NetworkMaker m(1);
    const TensorId row = m.input({2, 3, 29});
    m.node("Conv", {row, m.constant({4, 3, 3})}, {2, 4, 9},
           {{"strides", std::vector<int64_t>{3}}, {"pads", std::vector<int64_t>{0, 0}}});
    expect_right(m.finish_all(), "phased_planes", 1);
    NetworkMaker dilated(2);
    dilated.node(
        "Conv", {dilated.input({1, 2, 9, 20}), dilated.constant({3, 2, 3, 2})}, {1, 3, 5, 10},
        {{"strides", std::vector<int64_t>{1, 2}}, {"dilations", std::vector<int64_t>{2, 1}}});
    expect_right(dilated.finish_all(), "phased_planes", 1);
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
                expect_right(m.finish_all(), "padded_planes", 1);
            }
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
            expect_right(m.finish_all(), "planes_of_phases", 1);
        }
    }
}

// One axis after the other gives what all together do.
TEST(SeparatedAxes, OfResizeAreRight) {
    for (const char *mode : {"linear", "cubic"}) {
        for (const int64_t width : {3, 19}) {
            NetworkMaker m(static_cast<uint64_t>(width));
            const TensorId x = m.input({1, 3, 5, width});
            m.node("Resize", {x, kNoTensor, kNoTensor, m.integers({1, 3, 9, 2 * width})},
                   {1, 3, 9, 2 * width}, {{"mode", std::string(mode)}});
            SCOPED_TRACE(fmt::format("{} width {}", mode, width));
            expect_right(m.finish_all(), "separated_axes", 1);
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
            expect_right(m.finish_all(), name, 1);
        }
    };
    expect("planar", {7, 33}, {0}, 0);
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

TEST(LiveRows, OfDilatedConvolutionsAreRightAndCheaper) {
    for (const ConvShape &shape :
         {ConvShape{.channels = 20, .kernel = 3, .dilation = 5, .padding = 5},
          {.channels = 9, .kernel = 5, .dilation = 3, .padding = 6, .bias = false},
          {.channels = 16, .kernel = 3, .stride = 2, .dilation = 4, .padding = 4, .group = 4}}) {
        NetworkMaker m(static_cast<uint64_t>(shape.channels));
        m.unary("Relu", m.conv(m.unary("Sigmoid", m.input({2, 12, 7, 9})), shape));
        const Graph graph = m.finish_all();
        expect_right(graph, "live_rows", 1);
        const auto choices = plan_network(graph, {.threads = 2}).choices;
        EXPECT_LT(choices.at(0).alone.at("live_rows"), choices.at(0).alone.at("direct"));
    }
}

// What trim-kernels leaves of convolutions that reach far computes the same.
TEST(TrimKernels, OfConvolutionsThatReachBeyondTheirImagesAreRight) {
    for (const ConvShape &shape :
         {ConvShape{.channels = 5, .kernel = 3, .dilation = 9, .padding = 9},
          {.channels = 4, .kernel = 5, .dilation = 4, .padding = 8},
          {.channels = 6, .kernel = 3, .stride = 2, .dilation = 7, .padding = 7},
          {.channels = 4, .kernel = 4, .padding = 6, .group = 2}}) {
        NetworkMaker m(static_cast<uint64_t>(shape.kernel));
        m.conv(m.input({1, 4, 6, 7}), shape);
        const Graph graph = m.finish_all();
        const TensorValues inputs = random_inputs(graph, 1);
        const PlannedNetwork network = plan_network(run_passes(graph), {.threads = 2});
        EXPECT_EQ("", run_and_compare(network, inputs, evaluate_reference(graph, inputs)))
            << describe(network);
    }
}

TEST(Phases, OfTransposedConvolutionsAreRight) {
    struct Case {
        int64_t kernel, stride, pad, added;  // rows and columns that output_padding adds
    };
    for (const Case &c : {Case{2, 2, 0, 0},
                          {4, 2, 1, 0},
                          {3, 2, 1, 1},
                          {5, 3, 0, 2},
                          {3, 2, 0, 0},
                          {2, 3, 0, 0},
                          {6, 3, 2, 0}}) {
        NetworkMaker m(static_cast<uint64_t>(c.kernel));
        const TensorId x = m.input({2, 5, 6, 7});
        const auto extent = [&](int64_t n) {
            return (n - 1) * c.stride + c.kernel - 2 * c.pad + c.added;
        };
        const TensorId y =
            m.node("ConvTranspose", {x, m.constant({5, 9, c.kernel, c.kernel}), m.constant({9})},
                   {2, 9, extent(6), extent(7)},
                   {{"strides", std::vector<int64_t>{c.stride, c.stride}},
                    {"pads", std::vector<int64_t>(4, c.pad)},
                    {"output_padding", std::vector<int64_t>{c.added, c.added}}});
        m.unary("Relu", y);
        SCOPED_TRACE(std::to_string(c.kernel) + " " + std::to_string(c.stride));
        expect_right(m.finish_all(), "phases", 1);
    }
}

TEST(Implementations, WinogradIsTakenWhereProductsAreDearAndDirectWhereTheyAreFree) {
    NetworkMaker m(1);
    const TensorId x = m.unary("Relu", m.input({1, 24, 20, 20}));
    m.unary("Relu", m.conv(x, {.channels = 40, .kernel = 3, .padding = 1}));
    const Graph graph = m.finish_all();
    const auto taken = [&](double slowdown, bool exact) {
        PlanOptions options{.target = kAvx2Target, .threads = 2, .exact = exact};
        options.machine = {{"nest_slowdown", slowdown}};
        return plan_network(graph, options).choices.at(0).implementation;
    };
    EXPECT_EQ("winograd_4x4", taken(50.0, false));
    EXPECT_EQ("direct", taken(0.01, false));
    EXPECT_THROW(taken(50.0, true), std::out_of_range);  // --exact leaves no choice
}

TEST(Implementations, OfSumsWithoutALoopNestOnAGpuAreNotOfferedThere) {
    NetworkMaker m(1);
    m.conv(m.input({1, 24, 20, 20}), {.channels = 40, .kernel = 3, .padding = 1});
    const Graph graph = m.finish_all();
    for (const OperatorChoice &choice : plan_network(graph, {.target = "amdgpu-gfx906"}).choices) {
        for (const auto &[implementation, cycles] : choice.alone) {
            const PlannedNetwork network =
                plan_network(graph, {.target = "amdgpu-gfx906",
                                     .implementations = {{choice.name, implementation}}});
            for (const PlannerOperator &op : network.operators.operators) {
                EXPECT_FALSE(op.implementation.reduces &&
                             op.implementation.nest.template_name == "gpu_generic")
                    << op.name;
            }
        }
    }
}

TEST(Implementations, ThatAreUnknownAreRefusedWithThoseThereAre) {
    NetworkMaker m(1);
    m.conv(m.input({1, 4, 9, 9}), {.channels = 4, .kernel = 3, .padding = 1});
    const Graph graph = m.finish_all();
    const auto refusal = [&](const std::string &op, const std::string &name) {
        try {
            plan_network(graph, {.implementations = {{op, name}}});
        } catch (const Error &error) {
            return std::string(error.what());
        }
        return std::string();
    };
    const std::string op = graph.nodes[0].name;
    EXPECT_NE(std::string::npos, refusal("nobody", "direct").find("'nobody'"));
    EXPECT_NE(std::string::npos, refusal(op, "magic").find("direct, winograd_2x2"))
        << refusal(op, "magic");
    EXPECT_EQ("", refusal(op, "winograd_2x2"));
}

}  // namespace emulsion::test
