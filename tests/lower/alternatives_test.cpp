// Implementations that are several operators: what each computes, and what is decided.
#include <gtest/gtest.h>

#include <algorithm>
#include <functional>

#include <fmt/format.h>

#include "frontend/graph/pass.h"
#include "frontend/lower/network.h"
#include "tests/lower/cpu_targets.h"
#include "tests/lower/execution.h"
#include "tests/lower/forced_implementations.h"
#include "tests/lower/network_maker.h"

namespace emulsion::test {

namespace {

void expect_right_by_winograd(const Graph &graph) {
    for (const char *name : {"winograd_2x2", "winograd_4x4"}) {
        SCOPED_TRACE(name);
        expect_right_with(name, graph, 1);
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
        expect_right_with("flattened_pixels", m.finish_all(), 5);
    }
}

TEST(FlattenedAxes, OfReductionsAreRight) {
    for (uint64_t seed = 1; seed <= 6; seed++) {
        NetworkMaker m(seed);
        const TensorId x = m.input(random_image(m, 2));
        m.global_average_pool(m.unary("Relu", x));
        m.mean(x, {2, 3}, seed % 2 == 0);
        m.mean(x, {1, 2, 3}, true);
        expect_right_with("flattened_axes", m.finish_all(), 3);
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
        const PlannedNetwork network = plan_network(
            graph, forcing_implementation(graph, "winograd_4x4", {.target = target, .threads = 2}));
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

// One axis after the other gives what all together do.
TEST(SeparatedAxes, OfResizeAreRight) {
    for (const char *mode : {"linear", "cubic"}) {
        for (const int64_t width : {3, 19}) {
            NetworkMaker m(static_cast<uint64_t>(width));
            const TensorId x = m.input({1, 3, 5, width});
            m.node("Resize", {x, kNoTensor, kNoTensor, m.integers({1, 3, 9, 2 * width})},
                   {1, 3, 9, 2 * width}, {{"mode", std::string(mode)}});
            SCOPED_TRACE(fmt::format("{} width {}", mode, width));
            expect_right_with("separated_axes", m.finish_all(), 1);
        }
    }
}

TEST(LiveRows, OfDilatedConvolutionsAreRightAndCheaper) {
    for (const ConvShape &shape :
         {ConvShape{.channels = 20, .kernel = 3, .dilation = 5, .padding = 5},
          {.channels = 9, .kernel = 5, .dilation = 3, .padding = 6, .bias = false},
          {.channels = 16, .kernel = 3, .stride = 2, .dilation = 4, .padding = 4, .group = 4}}) {
        NetworkMaker m(static_cast<uint64_t>(shape.channels));
        m.unary("Relu", m.conv(m.unary("Sigmoid", m.input({2, 12, 7, 9})), shape));
        const Graph graph = m.finish_all();
        expect_right_with("live_rows", graph, 1);
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
        expect_right_with("phases", m.finish_all(), 1);
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
