// What policy gao2025 makes of the patterns of networks that fusion is about, under two extreme machines
// and a typical one; every plan is run, and what lives in a panel has memory for a panel.

#include <gtest/gtest.h>

#include <map>

#include "tests/lower/cpu_targets.h"
#include "tests/lower/execution.h"
#include "tests/lower/jit_unit.h"
#include "tests/lower/network_maker.h"

namespace emulsion::test {

namespace {

// A kernel and a byte cost more than any arithmetic.
const MachineConstants kMemoryIsDear = {{"launch_cycles", 1e9},
                                        {"shared_bytes_per_cycle", 0.01},
                                        {"memory_bytes_per_cycle", 0.01},
                                        {"l2_bytes", 1 << 20}};
// Starting kernels and moving bytes is free.
const MachineConstants kArithmeticIsDear = {{"launch_cycles", 0.0},
                                            {"region_cycles", 0.0},
                                            {"task_cycles", 0.0},
                                            {"private_bytes_per_cycle", 1e6},
                                            {"shared_bytes_per_cycle", 1e6},
                                            {"memory_bytes_per_cycle", 1e6},
                                            {"nest_slowdown", 100.0},
                                            {"operations_per_cycle", 0.01}};

PlannedNetwork planned_golden(const Graph &graph, const MachineConstants &machine) {
    PlanOptions options;
    options.target = kAvx2Target;
    options.threads = 2;
    options.machine = machine;
    for (const Node &node : graph.nodes) {  // what is fused is told from one implementation
        if (node.operator_type == "Conv") {
            options.implementations[node.name] = "direct";
        }
    }
    return plan_network(graph, options);
}

// ONNX types of the operators of every kernel: "Conv Relu | MaxPool".
std::string kernels(const PlannedNetwork &network) {
    std::string text;
    for (const PlannedGroup &group : network.plan.groups) {
        if (group.kind != GroupKind::Compute) {
            continue;
        }
        text += text.empty() ? "" : " | ";
        for (const PlannedMember &member : group.members) {
            for (const PlannerOperator &op : network.operators.operators) {
                text += op.name != member.op
                            ? ""
                            : (&member == &group.members.front() ? "" : " ") + op.origin;
            }
        }
    }
    return text;
}

// `proven`: nothing is a view, which a search keeps apart, so that it proves its plan.
void expect_right_everywhere(const Graph &graph, bool proven = true) {
    const TensorValues inputs = random_inputs(graph, 1);
    const TensorValues reference = evaluate_reference(graph, inputs);
    for (const MachineConstants &machine : {MachineConstants{}, kMemoryIsDear, kArithmeticIsDear}) {
        const PlannedNetwork network = planned_golden(graph, machine);
        EXPECT_EQ("", run_and_compare(network, inputs, reference)) << describe(network);
        EXPECT_TRUE(network.plan.search.proven_optimal || !proven);
    }
}

// Every panel of the network's kernels has memory for half of its value at most, and what two halves share.
void expect_small_panels(const PlannedNetwork &network) {
    int panels = 0;
    for (const PlannedLaunch &launch : network.launches) {
        JitUnit unit(launch.unit);
        const std::map<std::string, int64_t> memory = unit.allocations();
        for (const PlannedMember &member : launch.unit.plan.groups.at(0).members) {
            if (member.cut.empty()) {
                continue;
            }
            int64_t whole = 0;
            for (const Node &node : launch.unit.graph.nodes) {
                if (node.name == member.op) {
                    whole = element_count(launch.unit.graph.tensor(node.result()).extents());
                }
            }
            ASSERT_EQ(memory.count(member.op), 1U) << launch.label;
            EXPECT_GE(memory.at(member.op), 0) << launch.label;
            EXPECT_LE(memory.at(member.op), whole * 3 / 5) << launch.label;
            panels++;
        }
    }
    EXPECT_GT(panels, 0);
}

TensorId conv_relu(NetworkMaker &m, TensorId x, const ConvShape &shape) {
    return m.unary("Relu", m.conv(x, shape));
}

}  // namespace

TEST(SlowGoldenGroups, PointwiseActivationAndDepthwiseAreOneGroupWhereMemoryIsDear) {
    NetworkMaker m(1);
    // No power of two: lines of planes would drive each other out, and laying them out be a kernel of its own.
    const TensorId x = conv_relu(m, m.input({1, 16, 60, 60}), {.channels = 48});
    conv_relu(m, x, {.channels = 48, .kernel = 3, .padding = 1, .group = 48});
    const Graph graph = m.finish_all();
    const PlannedNetwork network = planned_golden(graph, kMemoryIsDear);
    EXPECT_EQ("Conv Relu Conv Relu", kernels(network));
    expect_small_panels(network);
    EXPECT_EQ("Conv Relu | Conv Relu", kernels(planned_golden(graph, kArithmeticIsDear)));
    expect_right_everywhere(graph);
}

TEST(SlowGoldenGroups, DepthwiseIsComputedAtRowsOfThePointwiseConvolution) {
    NetworkMaker m(2);
    const TensorId x = conv_relu(m, m.input({2, 24, 26, 22}),
                                 {.channels = 24, .kernel = 3, .padding = 1, .group = 24});
    conv_relu(m, x, {.channels = 40});
    const Graph graph = m.finish_all();
    const PlannedNetwork network = planned_golden(graph, kMemoryIsDear);
    EXPECT_EQ("Conv Relu Conv Relu", kernels(network));
    expect_small_panels(network);
    expect_right_everywhere(graph);
}

// Rows of several stages, which end where the values do: Halide must see that nothing is read beyond.
TEST(SlowGoldenGroups, AChainInPanelsPassesHalidesChecks) {
    NetworkMaker m(14);
    TensorId x = conv_relu(m, m.input({1, 3, 64, 64}),
                           {.channels = 16, .kernel = 3, .stride = 2, .padding = 1});
    for (const int64_t stride : {1, 2, 1}) {
        const int64_t channels = m.shape(x)[1];
        x = conv_relu(
            m, x,
            {.channels = channels, .kernel = 3, .stride = stride, .padding = 1, .group = channels});
        x = conv_relu(m, x, {.channels = 2 * channels});
    }
    const Graph graph = m.finish_all();
    const TensorValues inputs = random_inputs(graph, 1);
    const TensorValues reference = evaluate_reference(graph, inputs);
    for (const bool checked : {false, true}) {
        PlanOptions options;
        options.target = kAvx2Target;
        options.threads = 2;
        options.machine = kMemoryIsDear;
        options.checked = checked;
        const PlannedNetwork network = plan_network(graph, options);
        EXPECT_LT(network.plan.launched_groups(), 4);
        EXPECT_EQ("", run_and_compare(network, inputs, reference)) << describe(network);
    }
}

TEST(SlowGoldenGroups, SqueezeExciteIsNoKernelOfItsOwn) {
    NetworkMaker m(3);
    const TensorId x = conv_relu(m, m.input({1, 96, 40, 40}),
                                 {.channels = 96, .kernel = 3, .padding = 1, .group = 96});
    TensorId gate = m.unary("Relu", m.conv(m.global_average_pool(x), {.channels = 8}));
    gate = m.unary("Sigmoid", m.conv(gate, {.channels = 96}));
    m.conv(m.binary("Mul", x, gate), {.channels = 24});
    const Graph graph = m.finish_all();
    EXPECT_EQ("Conv Relu | GlobalAveragePool Conv Relu Conv Sigmoid Mul Conv",
              kernels(planned_golden(graph, kMemoryIsDear)));
    expect_right_everywhere(graph);
}

TEST(SlowGoldenGroups, AConvolutionIsComputedAtRowsOfThePoolAndAPoolAtRowsOfTheConvolution) {
    NetworkMaker m(4);
    TensorId x = conv_relu(m, m.input({1, 8, 48, 48}), {.channels = 64, .kernel = 3, .padding = 1});
    x = m.pool("MaxPool", x, 3, 2, 1);
    const Graph before = m.finish_all();
    const PlannedNetwork pool = planned_golden(before, kMemoryIsDear);
    EXPECT_EQ("Conv Relu MaxPool", kernels(pool));
    expect_small_panels(pool);
    expect_right_everywhere(before);

    NetworkMaker n(5);
    x = n.pool("MaxPool", n.input({1, 16, 40, 40}), 2, 2, 0);
    conv_relu(n, x, {.channels = 32, .kernel = 3, .padding = 1});
    const Graph after = n.finish_all();
    EXPECT_EQ("MaxPool Conv Relu", kernels(planned_golden(after, kMemoryIsDear)));
    expect_right_everywhere(after);
}

TEST(SlowGoldenGroups, TheAdditionOfAResidualJoinsTheLaterConvolution) {
    NetworkMaker m(6);
    const TensorId x = conv_relu(m, m.input({1, 16, 56, 56}), {.channels = 64, .kernel = 3});
    const TensorId y = conv_relu(m, x, {.channels = 64, .kernel = 3, .padding = 1});
    m.unary("Relu", m.binary("Add", x, m.conv(y, {.channels = 64})));
    const Graph graph = m.finish_all();
    // Where memory is dear the value that is read twice lives in panels, for both its readers.
    EXPECT_EQ("Conv Relu Conv Relu Conv Add Relu", kernels(planned_golden(graph, kMemoryIsDear)));
    const PlannedNetwork apart = planned_golden(graph, kArithmeticIsDear);
    EXPECT_TRUE(kernels(apart).ends_with("| Conv Add Relu")) << describe(apart);
    expect_right_everywhere(graph);
}

TEST(SlowGoldenGroups, BranchesWriteTheirSlicesOfAConcatenation) {
    NetworkMaker m(7);
    const TensorId x = m.input({1, 16, 30, 30});
    const TensorId a = conv_relu(m, x, {.channels = 24});
    const TensorId b = conv_relu(m, x, {.channels = 8, .kernel = 3, .padding = 1});
    std::map<std::string, Attribute> axis;
    axis["axis"] = int64_t{1};
    conv_relu(m, m.node("Concat", {a, b}, {1, 32, 30, 30}, axis), {.channels = 16});
    const Graph graph = m.finish_all();
    // A kernel costs something here: else a Relu by itself is dealt out to threads more evenly.
    MachineConstants apart = kArithmeticIsDear;
    apart["launch_cycles"] = 1e5;
    EXPECT_EQ("Conv Relu | Conv Relu | Conv Relu", kernels(planned_golden(graph, apart)));
    // Where arithmetic is cheap they are computed in panels of their reader.
    EXPECT_EQ("Conv Relu Conv Relu Concat Conv Relu",
              kernels(planned_golden(graph, kMemoryIsDear)));
    expect_right_everywhere(graph, false);
}

TEST(SlowGoldenGroups, AConvolutionWritesWhatIsTransposed) {
    struct Row {
        std::vector<int64_t> axes;
        bool read_again;  // by a convolution, which wants the channels innermost
        const char *kernels;
    };
    for (const Row &row :
         {Row{{0, 2, 3, 1}, false, "Conv Relu"}, Row{{0, 1, 3, 2}, false, "Conv Relu"},
          Row{{0, 1, 3, 2}, true, "Conv Relu | Conv Relu"},
          Row{{0, 2, 3, 1}, true, "Conv Relu | Conv Relu"}}) {
        NetworkMaker m(12);
        const TensorId x = conv_relu(m, m.input({1, 16, 60, 50}), {.channels = 64});
        std::vector<int64_t> extents;
        for (const int64_t axis : row.axes) {
            extents.push_back(m.shape(x)[static_cast<size_t>(axis)]);
        }
        const TensorId y = m.node("Transpose", {x}, extents, {{"perm", row.axes}});
        if (row.read_again) {
            conv_relu(m, y, {.channels = 8, .kernel = 3, .padding = 1});
        }
        const Graph graph = m.finish_all();
        EXPECT_EQ(row.kernels, kernels(planned_golden(graph, kMemoryIsDear)));
        expect_right_everywhere(graph);
    }
}

TEST(SlowGoldenGroups, AConvolutionWritesWhatIsReshaped) {
    NetworkMaker m(13);
    const TensorId x = conv_relu(m, m.input({1, 16, 30, 30}), {.channels = 32});
    m.reshape(x, {1, 28800});
    const Graph graph = m.finish_all();
    EXPECT_EQ("Conv Relu", kernels(planned_golden(graph, kMemoryIsDear)));
    expect_right_everywhere(graph, false);
}

TEST(SlowGoldenGroups, ADecomposedSoftmaxIsOneKernel) {
    NetworkMaker m(8);
    const TensorId x = m.input({200, 300}), axis = m.integers({1});
    const TensorId top = m.node("ReduceMax", {x, axis}, {200, 1});
    const TensorId powers = m.unary("Exp", m.node("Sub", {x, top}, {200, 300}));
    const TensorId sum = m.node("ReduceSum", {powers, axis}, {200, 1});
    m.node("Div", {powers, sum}, {200, 300});
    const Graph graph = m.finish_all();
    const PlannedNetwork network = planned_golden(graph, kMemoryIsDear);
    EXPECT_EQ("ReduceMax Sub Exp ReduceSum Div", kernels(network));
    expect_right_everywhere(graph);
}

TEST(SlowGoldenGroups, ADecomposedLayerNormIsOneKernel) {
    NetworkMaker m(9);
    const TensorId x = m.input({2, 70, 256});
    const TensorId centred = m.node("Sub", {x, m.mean(x, {2}, true)}, {2, 70, 256});
    const TensorId variance = m.mean(m.binary("Mul", centred, centred), {2}, true);
    const TensorId root = m.unary("Sqrt", m.binary("Add", variance, m.constant({1})));
    const TensorId scaled = m.node("Div", {centred, root}, {2, 70, 256});
    m.binary("Add", m.binary("Mul", scaled, m.constant({256})), m.constant({256}));
    const Graph graph = m.finish_all();
    EXPECT_EQ("ReduceMean Sub Mul ReduceMean Add Sqrt Div Mul Add",
              kernels(planned_golden(graph, kMemoryIsDear)));
    expect_right_everywhere(graph);
}

TEST(SlowGoldenGroups, AttentionIsComputedAtRowsOfItsSecondProduct) {
    NetworkMaker m(10);
    const TensorId queries = m.input({160, 32});
    const TensorId scores = m.mat_mul(queries, m.constant({32, 160}));
    const TensorId weights = m.softmax(m.binary("Mul", scores, m.constant({1})), 1);
    m.mat_mul(weights, m.constant({160, 32}));
    const Graph graph = m.finish_all();
    const PlannedNetwork network = planned_golden(graph, kMemoryIsDear);
    EXPECT_EQ("MatMul Mul Softmax MatMul", kernels(network));
    expect_small_panels(network);
    expect_right_everywhere(graph);
}

TEST(SlowGoldenGroups, AnUpsamplingIsComputedInBothBranchesWhereMemoryIsDear) {
    NetworkMaker m(11);
    const TensorId x = conv_relu(m, m.input({1, 8, 12, 12}), {.channels = 8});
    const TensorId large =
        m.node("Resize", {x, kNoTensor, kNoTensor, m.integers({1, 8, 24, 24})}, {1, 8, 24, 24},
               {{"mode", std::string("nearest")},
                {"coordinate_transformation_mode", std::string("asymmetric")},
                {"nearest_mode", std::string("floor")}});
    conv_relu(m, large, {.channels = 16, .kernel = 3, .padding = 1});
    conv_relu(m, large, {.channels = 24});
    const Graph graph = m.finish_all();
    MachineConstants dear = kMemoryIsDear;
    dear["l2_bytes"] = 8192;  // the small image fits, the large one does not
    const PlannedNetwork network = planned_golden(graph, dear);
    EXPECT_EQ("Conv Relu | Resize Conv Relu | Resize Conv Relu", kernels(network));
    ASSERT_EQ(network.plan.duplications.size(), 1U);
    EXPECT_EQ(network.plan.duplications[0].ops, (std::vector<std::string>{"n2_op"}));
    EXPECT_GT(network.plan.duplications[0].cycles_won, 0.0);
    EXPECT_EQ(network.plan, plan_from_json(to_json(network.plan)));
    const TensorValues inputs = random_inputs(graph, 1);
    EXPECT_EQ("", run_and_compare(network, inputs, evaluate_reference(graph, inputs)));
    EXPECT_TRUE(planned_golden(graph, kArithmeticIsDear).plan.duplications.empty());
    expect_right_everywhere(graph);
}

// What is an output is stored as well; what precedes it only is computed again with it.
TEST(SlowGoldenGroups, DuplicatedChainsAndOutputsGiveWhatTheirOperatorsGive) {
    NetworkMaker m(12);
    const TensorId x = m.input({1, 8, 20, 20});
    const TensorId chain = m.unary("Sigmoid", m.unary("Relu", x));
    conv_relu(m, chain, {.channels = 8, .kernel = 3, .padding = 1});
    m.pool("MaxPool", chain, 3, 2, 1);
    const TensorId row = m.unary("Tanh", m.input({1, 8, 1, 20}));
    const TensorId image = m.node("Expand", {row, m.integers({1, 8, 20, 20})}, {1, 8, 20, 20});
    conv_relu(m, image, {.channels = 16});
    const Graph graph = m.finish_all({image});
    // Also from a core's own cache, where the image lies: the row is read by one core, from the other's.
    MachineConstants dear = kMemoryIsDear;
    dear["private_bytes_per_cycle"] = 0.01;
    const PlannedNetwork network = planned_golden(graph, dear);
    EXPECT_EQ("Relu Sigmoid Conv Relu | Relu Sigmoid MaxPool | Tanh Expand | Tanh Expand Conv Relu",
              kernels(network));
    expect_right_everywhere(graph);
}

}  // namespace emulsion::test
