// What the planner is told about the operators of networks.
#include "frontend/lower/analyze_network.h"

#include <gtest/gtest.h>

#include <functional>

#include "tests/lower/network_maker.h"

namespace emulsion::test {

namespace {

using Build = std::function<void(NetworkMaker &)>;

Machine machine(int vector_bytes, int registers) {
    CpuMachine m;
    m.vector_bytes = vector_bytes;
    m.vector_registers = registers;
    m.threads = 4;
    return m;
}

const Machine kAnalyzedMachines[] = {machine(16, 16), machine(32, 16), machine(64, 32)};

// Vectors that a nest holds in registers at once: accumulators, a row of weights, a broadcast.
int64_t registers_used(const Nest &nest) {
    const auto of = [&](const char *name) { return nest.parameters.at(name); };
    return of("vectors") * of("width") * of("height") + of("vectors") + 1;
}

// Type and loop nest of the last operator, on every machine.
void expect_operator(MappingType type, const std::string &nest_template, const Build &build) {
    NetworkMaker m(1);
    build(m);
    const Graph graph = m.finish_all();
    for (const Machine &on : kAnalyzedMachines) {
        const OperatorGraph analyzed = analyze_network(graph, on, false).default_operators();
        ASSERT_EQ(graph.nodes.size(), analyzed.operators.size());
        const PlannerOperator &op = analyzed.operators.back();
        SCOPED_TRACE(op.origin + " with vectors of " + std::to_string(on.cpu().vector_bytes) +
                     " bytes");
        EXPECT_EQ(to_string(type), to_string(op.type));
        const ImplementationChoice &choice = op.implementation;
        EXPECT_EQ(nest_template, choice.nest.template_name);
        EXPECT_EQ("", choice.parts.back().part);
        const Nest nest = choice.nest.preferred();
        if (nest.parameters.count("width") != 0) {
            EXPECT_LE(registers_used(nest), on.cpu().vector_registers);
        }
        if (nest.parameters.count("vector") != 0) {
            EXPECT_LE(nest.parameters.at("vector"), on.lanes(4));
        }
    }
}

const Shape kAnalyzedImage{2, 12, 9, 10};

}  // namespace

TEST(OperatorTypes, ElementWiseOperatorsAreOneToOne) {
    const auto type = MappingType::OneToOne;
    for (const char *name : {"Relu", "Identity", "Dropout"}) {
        expect_operator(type, "elementwise",
                        [=](NetworkMaker &m) { m.unary(name, m.input(kAnalyzedImage)); });
    }
    expect_operator(type, "elementwise",
                    [](NetworkMaker &m) { m.clip(m.input(kAnalyzedImage), -1.0, 1.0); });
    for (const char *name : {"Add", "Mul"}) {
        expect_operator(type, "elementwise", [=](NetworkMaker &m) {
            m.binary(name, m.input(kAnalyzedImage), m.input(kAnalyzedImage));
        });
        // The edge from a constant does not count.
        expect_operator(type, "elementwise", [=](NetworkMaker &m) {
            m.binary(name, m.input(kAnalyzedImage), m.constant({12, 1, 1}));
        });
    }
    expect_operator(type, "elementwise", [](NetworkMaker &m) {
        m.node("BatchNormalization",
               {m.input(kAnalyzedImage), m.constant({12}), m.constant({12}), m.constant({12}),
                m.constant({12})},
               kAnalyzedImage);
    });
}

TEST(OperatorTypes, ABroadcastOperandIsOneToMany) {
    for (const char *name : {"Add", "Mul"}) {
        expect_operator(MappingType::OneToMany, "elementwise", [=](NetworkMaker &m) {
            m.binary(name, m.input(kAnalyzedImage), m.input({2, 12, 1, 1}));
        });
    }
}

TEST(OperatorTypes, ReshapesReorganize) {
    expect_operator(MappingType::Reorganize, "elementwise",
                    [](NetworkMaker &m) { m.flatten(m.input(kAnalyzedImage)); });
    expect_operator(MappingType::Reorganize, "elementwise", [](NetworkMaker &m) {
        m.reshape(m.input(kAnalyzedImage), {12, 2, 30, 3});
    });
}

TEST(OperatorTypes, ReductionsAndWindowsAreManyToMany) {
    const auto type = MappingType::ManyToMany;
    expect_operator(type, "convolution", [](NetworkMaker &m) {
        m.conv(m.input(kAnalyzedImage), {.channels = 24, .kernel = 3, .padding = 1});
    });
    expect_operator(type, "convolution",
                    [](NetworkMaker &m) { m.conv(m.input(kAnalyzedImage), {.channels = 24}); });
    expect_operator(type, "convolution", [](NetworkMaker &m) {
        m.conv(m.input(kAnalyzedImage), {.channels = 24, .kernel = 3, .group = 4});
    });
    expect_operator(type, "depthwise", [](NetworkMaker &m) {
        m.conv(m.input(kAnalyzedImage), {.channels = 12, .kernel = 3, .padding = 1, .group = 12});
    });
    for (const char *name : {"MaxPool", "AveragePool"}) {
        expect_operator(type, "pooling",
                        [=](NetworkMaker &m) { m.pool(name, m.input(kAnalyzedImage), 3, 2, 1); });
    }
    expect_operator(type, "reduction",
                    [](NetworkMaker &m) { m.global_average_pool(m.input(kAnalyzedImage)); });
    expect_operator(type, "reduction", [](NetworkMaker &m) {
        m.mean(m.input(kAnalyzedImage), {2, 3}, false);
    });
    expect_operator(type, "matrix_product", [](NetworkMaker &m) {
        m.gemm(m.input({3, 40}), m.constant({17, 40}), m.constant({17}), true);
    });
    expect_operator(type, "matrix_product", [](NetworkMaker &m) {
        m.mat_mul(m.input({5, 40}), m.input({40, 17}));
    });
    expect_operator(type, "row_reduction", [](NetworkMaker &m) {
        m.softmax(m.input({3, 1000}), 1);
    });
}

TEST(OperatorTypes, ProductsToAScalarAreTiled) {
    expect_operator(MappingType::ManyToMany, "multi_level_tile",
                    [](NetworkMaker &m) { m.mat_mul(m.input({7}), m.input({7})); });
}

// Convolutions of every size keep within the registers.
TEST(RegisterTiles, FitTheRegisters) {
    for (int64_t channels : {3, 8, 17, 64, 513}) {
        for (int64_t size : {1, 2, 7, 14, 56}) {
            for (int64_t kernel : {1, 3}) {
                expect_operator(MappingType::ManyToMany, "convolution", [=](NetworkMaker &m) {
                    m.conv(m.input({1, 5, size, size}),
                           {.channels = channels, .kernel = kernel, .padding = kernel / 2});
                });
            }
        }
    }
}

// A template of a higher rank takes its place where it is much cheaper: vectors of pixels, not of one channel.
TEST(Templates, AreChosenByPrice) {
    for (const int64_t channels : {1, 64}) {
        NetworkMaker m(1);
        m.conv(m.input({1, 64, 56, 56}), {.channels = channels, .kernel = 1});
        const OperatorGraph graph =
            analyze_network(m.finish_all(), kAnalyzedMachines[2], false).default_operators();
        EXPECT_EQ(channels != 1,
                  graph.operators.back().implementation.nest.template_name == "convolution");
    }
}

TEST(Edges, SayWhichMarginsTheyReadAndWhatTheyExpectThere) {
    NetworkMaker m(2);
    const TensorId x = m.input(kAnalyzedImage);
    m.conv(x, {.channels = 4, .kernel = 5, .padding = 2});
    m.pool("MaxPool", x, 3, 1, 1);
    const OperatorGraph graph =
        analyze_network(m.finish_all(), kAnalyzedMachines[0], false).default_operators();
    const Operand &conv = graph.operators[0].implementation.operands[0];
    EXPECT_EQ((std::vector<Margin>{{}, {}, {2, 2}, {2, 2}}), conv.halo);
    EXPECT_EQ(0.0, conv.fill);
    const Operand &pool = graph.operators[1].implementation.operands[0];
    EXPECT_EQ((std::vector<Margin>{{}, {}, {1, 1}, {1, 1}}), pool.halo);
    EXPECT_LT(pool.fill, -1e300);
}

TEST(Edges, WeightsAreWantedInWholeBlocks) {
    NetworkMaker m(3);
    m.conv(m.input({1, 8, 9, 9}), {.channels = 40, .kernel = 3});
    for (const Machine &on : kAnalyzedMachines) {
        const OperatorGraph analyzed =
            analyze_network(m.finish_all(), on, false).default_operators();
        const ImplementationChoice &choice = analyzed.operators[0].implementation;
        const Nest nest = choice.nest.preferred();
        EXPECT_EQ(1, choice.innermost_axis);
        for (const Operand &operand : choice.operands) {
            const Value &value = analyzed.values[static_cast<size_t>(operand.value)];
            if (value.role == ValueRole::Constant) {
                EXPECT_EQ(0, operand.constant_layout.block_axis);
                EXPECT_EQ(nest.parameters.at("vector") * nest.parameters.at("vectors"),
                          operand.constant_layout.block);
            }
        }
    }
}

}  // namespace emulsion::test
