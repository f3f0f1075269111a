// Files that are no models, or bad ones: each is refused with one sentence, none crashes.
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <filesystem>

#include "frontend/graph/pass.h"
#include "frontend/lower/network.h"
#include "frontend/onnx/loader.h"
#include "frontend/zoo/random.h"
#include "frontend/zoo/zoo.h"
#include "tests/frontend/models.h"

namespace emulsion::test {
namespace {

TEST(HostileModel, AMissingFileIsRefused) {
    expect_contains(refusal_of_file("/nonexistent/model.onnx"), "No such file");
}

TEST(HostileModel, AFolderIsRefused) {
    const TemporaryFolder folder;
    expect_contains(refusal_of_file(folder.path().string()), "is a directory");
}

TEST(HostileModel, APipeIsRefusedWithoutWaiting) {
    const TemporaryFolder folder;
    const std::string path = folder.file("pipe");
    ASSERT_EQ(mkfifo(path.c_str(), 0600), 0);
    expect_contains(refusal_of_file(path), "no regular file");
}

TEST(HostileModel, AnEmptyFileIsRefused) {
    const TemporaryFolder folder;
    const std::string path = folder.file("empty.onnx");
    write_file(path, "");
    expect_contains(refusal_of_file(path), "it is empty");
}

TEST(HostileModel, ATextFileIsRefused) {
    const TemporaryFolder folder;
    const std::string path = folder.file("README.md");
    write_file(path, "# Emulsion\n\nA compiler for neural networks.\n");
    expect_contains(refusal_of_file(path), "no ONNX model");
}

TEST(HostileModel, AFileBeyondTheLimitIsRefused) {
    const TemporaryFolder folder;
    const std::string path = folder.file("model.onnx");
    write_zoo_model("tiny_plain", path);
    LoadLimits limits;
    limits.file_bytes = 1000;
    EXPECT_THROW(load_model(path, limits), Error);
    limits = {};
    limits.nodes = 3;
    EXPECT_THROW(load_model(path, limits), Error);
    limits = {};
    limits.tensor_elements = 100;
    EXPECT_THROW(load_model(path, limits), Error);
    limits = {};
    limits.rank = 3;
    EXPECT_THROW(load_model(path, limits), Error);
    limits = {};
    limits.nesting = 2;
    EXPECT_THROW(load_model(path, limits), Error);
}

TEST(HostileModel, TruncatedFilesAreRefusedWhereverTheyEnd) {
    const TemporaryFolder folder;
    const std::string path = folder.file("model.onnx");
    for (const std::string network : {"tiny_plain", "tiny_residual"}) {
        write_zoo_model(network, path);
        const std::string bytes = read_file(path);
        const std::string cut = folder.file("cut.onnx");
        for (size_t size = 0; size < bytes.size(); size += size < 400 ? 1 : 211) {
            write_file(cut, bytes.substr(0, size));
            EXPECT_NE(refusal_of_file(cut), "") << network << " cut to " << size << " bytes";
        }
    }
}

TEST(HostileModel, RandomBytesAreRefused) {
    const TemporaryFolder folder;
    const std::string path = folder.file("random.onnx");
    for (uint64_t seed = 0; seed < 300; ++seed) {
        PortableRandom random(seed, "bytes");
        std::string bytes(1 + random.next() % 2000, '\0');
        for (char &byte : bytes) {
            byte = static_cast<char>(random.next());
        }
        write_file(path, bytes);
        EXPECT_NE(refusal_of_file(path), "") << "seed " << seed;
    }
}

TEST(HostileModel, DamagedModelsAreLoadedOrRefusedButNeverCrash) {
    const TemporaryFolder folder;
    const std::string path = folder.file("model.onnx");
    write_zoo_model("tiny_residual", path);
    const std::string bytes = read_file(path);
    const size_t nodes = 3000;  // the part that is not weights
    for (uint64_t seed = 0; seed < 1500; ++seed) {
        PortableRandom random(seed, "damage");
        std::string damaged = bytes;
        for (int i = 0; i < 3; ++i) {
            damaged[random.next() % nodes] = static_cast<char>(random.next());
        }
        write_file(path, damaged);
        SCOPED_TRACE("seed " + std::to_string(seed));
        refusal_of_file(path);
    }
}

TEST(HostileModel, ManyEmptyNodesAreRefusedBeforeTheyFillTheMemory) {
    // 20 million nodes of two bytes each would be gigabytes of objects.
    std::string graph;
    for (int i = 0; i < 20'000'000; ++i) {
        graph += std::string("\x0a\x00", 2);
    }
    std::string bytes = "\x08\x0a\x3a";
    for (size_t rest = graph.size(); rest > 0; rest >>= 7) {
        bytes += static_cast<char>((rest & 0x7F) | (rest >> 7 != 0 ? 0x80 : 0));
    }
    const TemporaryFolder folder;
    const std::string path = folder.file("model.onnx");
    write_file(path, bytes + graph);
    expect_contains(refusal_of_file(path), "GiB of memory");
}

TEST(HostileModel, UnknownOperatorsAreNamed) {
    const std::string text = refusal("agraph (float[2] x) => (float[2] y) { [bad] y = Foo(x) }");
    expect_contains(text, "node 'bad' (#0, Foo)");
    expect_contains(text, "ONNX has no operator 'Foo'");
}

TEST(HostileModel, OperatorsOfOtherDomainsAreNamed) {
    onnx::ModelProto proto = model("agraph (float[2] x) => (float[2] y) { y = Foo(x) }");
    proto.mutable_graph()->mutable_node(0)->set_domain("com.example");
    onnx::OperatorSetIdProto &opset = *proto.add_opset_import();
    opset.set_domain("com.example");
    opset.set_version(1);
    const std::string text = refusal(proto);
    expect_contains(text, "'Foo_0' (#0, Foo)");
    expect_contains(text, "com.example");
}

TEST(HostileModel, ControlFlowIsRefused) {
    expect_contains(refusal(R"(agraph (int64 n, bool c, float[2] x) => (float[2] y)
        { y = Loop (n, c, x) <body = g (int64 i, bool go, float[2] a) => (bool on, float[2] b)
            { on = Identity(go)  b = Relu(a) }> })"),
                    "control flow is not supported");
}

TEST(HostileModel, WrongRanksAndShapesAreRefusedAtTheirNode) {
    const std::string rank = refusal(R"(agraph (float[3,8,8] x) => (float[1,1,1,1] y)
        <float[4,3,1,1] w = {1,1,1,1,1,1,1,1,1,1,1,1}> { [c] y = Conv(x, w) })");
    expect_contains(rank, "node 'c' (#0, Conv)");
    const std::string shape = refusal(R"(agraph (float[2,3] x) => (float[2,3] y)
        <float[4] w = {1,2,3,4}> { [sum] y = Add(x, w) })");
    expect_contains(shape, "node 'sum' (#0, Add)");
    const std::string declared =
        refusal("agraph (float[2,3] x) => (float[3,2] y) { [r] y = Relu(x) }");
    expect_contains(declared, "node 'r' (#0, Relu)");
    const std::string type =
        refusal("agraph (float[2] x, double[2] z) => (float[2] y) { [sum] y = Add(x, z) }");
    expect_contains(type, "node 'sum' (#0, Add)");
}

TEST(HostileModel, WrongAttributesAreRefusedAtTheirNode) {
    expect_contains(refusal("agraph (float[2] x) => (float[2] y) { y = Relu <alpha = 1.0> (x) }"),
                    "(#0, Relu)");
    expect_contains(refusal("agraph (float[2] x) => (float[2] y) { y = Softmax <axis = 1.5> (x) }"),
                    "(#0, Softmax)");
    expect_contains(refusal("agraph (float[2] x) => (float[2] y) { y = Relu(x, x) }"),
                    "(#0, Relu)");
    // A list of that many shapes would not fit in any memory.
    expect_contains(refusal("agraph (float[2] x) => (float[1] y, float[1] z) "
                            "{ y, z = Split <num_outputs = 288230376151711743> (x) }"),
                    "(#0, Split): attribute 'num_outputs' is 288230376151711743, but it has 2");
}

TEST(HostileModel, MissingWeightsAreNamed) {
    const std::string text = refusal("agraph (float[2] x) => (float[2] y) { [sum] y = Add(x, w) }");
    expect_contains(text, "node 'sum' (#0, Add)");
    expect_contains(text, "'w', which is missing");
}

TEST(HostileModel, WeightsOfTheWrongSizeAreRefused) {
    onnx::ModelProto proto = model(R"(agraph (float[2] x) => (float[2] y)
        <float[2] w = {1, 2}> { y = Add(x, w) })");
    onnx::TensorProto &weights = *proto.mutable_graph()->mutable_initializer(0);
    weights.clear_float_data();
    for (const size_t size : {0, 4, 7, 12}) {
        weights.set_raw_data(std::string(size, '\0'));
        expect_contains(refusal(proto), "initializer 'w'");
    }
    weights.set_raw_data(std::string(8, '\0'));
    EXPECT_EQ(refusal(proto), "");
    weights.set_dims(0, -2);
    expect_contains(refusal(proto), "dimension of -2");
    weights.set_dims(0, int64_t{1} << 62);
    expect_contains(refusal(proto), "elements accepted");
}

TEST(HostileModel, ValuesMadeTwiceOrTooLateAreRefused) {
    expect_contains(refusal("agraph (float[2] x) => (float[2] y) { y = Relu(x) y = Relu(x) }"),
                    "exists already");
    expect_contains(refusal("agraph (float[2] x) => (float[2] y) { y = Relu(t) t = Relu(x) }"),
                    "before that is made");
    expect_contains(refusal("agraph (float[2] x) => (float[2] z) { y = Relu(x) }"),
                    "made by no node");
    expect_contains(refusal("agraph (float[2] x) => (float[2] y, float[2] y) { y = Relu(x) }"),
                    "listed twice");
}

TEST(HostileModel, CyclesAreRefused) {
    expect_contains(refusal("agraph (float[2] x) => (float[2] y) { y = Relu(y) }"),
                    "before that is made");
    const std::string text = refusal(R"(agraph (float[2] x) => (float[2] y)
        { [a] t = Add(x, u) [b] u = Relu(t) y = Neg(u) })");
    expect_contains(text, "node 'a' (#0, Add)");
    expect_contains(text, "without cycles");
}

TEST(HostileModel, ValuesDeclaredTwiceAreRefused) {
    expect_contains(refusal("agraph (float[2] x, float[2] x) => (float[2] y) { y = Relu(x) }"),
                    "listed twice");
    onnx::ModelProto proto = model(R"(agraph (float[2] x) => (float[2] y)
        <float[2] w = {1, 2}> { y = Add(x, w) })");
    *proto.mutable_graph()->add_initializer() = proto.graph().initializer(0);
    expect_contains(refusal(proto), "initializer 'w' is listed twice");
}

TEST(HostileModel, ValuesWithoutNamesAreRefused) {
    const auto changed = [](const auto &change) {
        onnx::ModelProto proto = model(R"(agraph (float[2] x) => (float[2] y)
            <float[2] w = {1, 2}> { y = Add(x, w) })");
        change(*proto.mutable_graph());
        return refusal(proto);
    };
    expect_contains(changed([](onnx::GraphProto &g) { g.mutable_input(0)->clear_name(); }),
                    "the name of a graph input is empty");
    expect_contains(changed([](onnx::GraphProto &g) { g.mutable_initializer(0)->clear_name(); }),
                    "the name of an initializer is empty");
    expect_contains(changed([](onnx::GraphProto &g) { g.mutable_output(0)->clear_name(); }),
                    "the name of a graph output is empty");
    expect_contains(changed([](onnx::GraphProto &g) { g.mutable_node(0)->set_input(1, ""); }),
                    "(#0, Add)");
    expect_contains(changed([](onnx::GraphProto &g) { g.mutable_node(0)->clear_op_type(); }),
                    "its operator type is empty");
}

TEST(HostileModel, ShapesThatOverflowAreRefused) {
    const std::string huge = std::to_string(int64_t{1} << 62);
    expect_contains(
        refusal("agraph (float[" + huge + "] x) => (float[" + huge + "] y) { y = Relu(x) }"),
        "elements accepted");
    const std::string third = std::to_string(int64_t{1} << 22);
    const std::string cube = "float[" + third + "," + third + "," + third + "]";
    expect_contains(refusal("agraph (" + cube + " x) => (" + cube + " y) { y = Relu(x) }"),
                    "elements accepted");
    // Where operands and attributes give them.
    expect_contains(refusal(R"(agraph (float[4] x) => (y) <int64[1] n = {4611686018427387904}>
        { y = Tile(x, n) })"),
                    "(#0, Tile)");
    expect_contains(refusal(R"(agraph (float[1] x) => (y)
        <int64[3] n = {2097152, 2097152, 2097152}> { y = Expand(x, n) })"),
                    "elements accepted");
    expect_contains(refusal(R"(agraph (float[1] x) => (y) <int64[2] n = {4294967296, 4294967296}>
        { c = ConstantOfShape(n)  y = Add(c, x) })"),
                    "elements accepted");
}

TEST(HostileModel, AFileBeyondProtobufsLimitIsRefusedWithoutReadingIt) {
    const TemporaryFolder folder;
    const std::string path = folder.file("model.onnx");
    write_file(path, "");
    std::error_code status;
    std::filesystem::resize_file(path, (uint64_t{2} << 30) + 1, status);  // sparse
    if (status) {
        GTEST_SKIP() << "no sparse file of 2 GiB here: " << status.message();
    }
    expect_contains(refusal_of_file(path), "2048 MiB, more than the 2047 MiB accepted");
}

TEST(HostileModel, DeepNestingIsRefused) {
    // An If in the branch of an If, and so on.
    const auto nested = [](int depth) {
        std::string text = "y = Relu(x)";
        for (int i = 0; i < depth; ++i) {
            const std::string branch = "b () => (float[2] y) { " + text + " }";
            text = "y = If (c) <then_branch = " + branch + ", else_branch = " + branch + ">";
        }
        return refusal("agraph (float[2] x) => (float[2] y) <bool c = {1}> { " + text + " }");
    };
    EXPECT_EQ(nested(3), "");
    onnx::ModelProto proto = model("agraph (float[2] x) => (float[2] y) { y = Relu(x) }");
    onnx::GraphProto *graph = proto.mutable_graph();
    for (int i = 0; i < 200; ++i) {
        onnx::NodeProto &node = *graph->mutable_node(0);
        node.set_op_type("If");
        onnx::AttributeProto &attribute = *node.add_attribute();
        attribute.set_name("then_branch");
        attribute.set_type(onnx::AttributeProto::GRAPH);
        graph = attribute.mutable_g();
        graph->add_node();
    }
    expect_contains(refusal(proto), "nested more than 64 deep");
    // In a field that no version of ONNX has: what is skipped must not take the stack either.
    std::string groups;
    for (int i = 0; i < 1'000'000; ++i) {
        groups += "\xA3\x06";  // field 100, start of a group
    }
    const TemporaryFolder folder;
    write_file(folder.file("groups.onnx"), groups);
    EXPECT_NE(refusal_of_file(folder.file("groups.onnx")), "");
}

TEST(HostileModel, NodesOfThousandsOfValuesAreRefused) {
    onnx::ModelProto proto = model("agraph (float[2] x) => (float[2] y) { [many] y = Sum(x) }");
    onnx::NodeProto &sum = *proto.mutable_graph()->mutable_node(0);
    for (int i = 0; i < 1023; ++i) {
        sum.add_input("x");
    }
    EXPECT_EQ(refusal(proto), "");
    sum.add_input("x");
    expect_contains(refusal(proto), "node 'many' (#0, Sum): it has 1025 operands");
    onnx::ModelProto split = model("agraph (float[2] x) => (float[2] y) { y = Split(x) }");
    for (int i = 0; i < 1024; ++i) {
        split.mutable_graph()->mutable_node(0)->add_output("part" + std::to_string(i));
    }
    expect_contains(refusal(split), "it has 1025 results");
}

// A chain of `count` nodes of operator `type`.
onnx::ModelProto chain(const std::string &type, int count) {
    onnx::ModelProto proto = model("agraph (float[2] x) => (y) { y = Relu(x) }");
    onnx::GraphProto &graph = *proto.mutable_graph();
    graph.mutable_node()->Clear();
    std::string last = "x";
    for (int i = 0; i < count; ++i) {
        onnx::NodeProto &node = *graph.add_node();
        node.set_op_type(type);
        node.add_input(last);
        last = i + 1 == count ? "y" : "t" + std::to_string(i);
        node.add_output(last);
    }
    return proto;
}

TEST(SlowHostileModel, AMillionNodesAreLoadedAndOneMoreIsRefused) {
    constexpr int kMillion = 1'000'000;
    Graph relus = load(chain("Relu", kMillion));
    EXPECT_EQ(relus.nodes.size(), static_cast<size_t>(kMillion));
    relus = run_passes(std::move(relus));
    try {
        plan_network(relus, PlanOptions());
        FAIL() << "a million operators were planned";
    } catch (const Error &error) {
        expect_contains(error.what(), "1000000 operators");
        EXPECT_EQ(error.exit_code(), 2);
    }
    // All but one go.
    const Graph identities = run_passes(load(chain("Identity", kMillion)));
    EXPECT_EQ(identities.nodes.size(), 1U);
    expect_contains(refusal(chain("Relu", kMillion + 1)), "1000001 nodes");
}

TEST(HostileModel, UnsupportedElementTypesAreNamed) {
    const std::string text = refusal("agraph (float16[2] x) => (float16[2] y) { y = Relu(x) }");
    expect_contains(text, "FLOAT16");
    expect_contains(text, "'x'");
}

TEST(HostileModel, ImpossibleOpsetsAreRefused) {
    expect_contains(refusal("agraph (float[2] x) => (float[2] y) { y = Relu(x) }", 99), "opset 99");
    expect_contains(refusal("agraph (float[2] x) => (float[2] y) { y = Relu(x) }", 0), "opset 0");
    onnx::ModelProto none = model("agraph (float[2] x) => (float[2] y) { y = Relu(x) }");
    none.clear_opset_import();
    expect_contains(refusal(none), "no opset");
}

TEST(HostileModel, NamesThatCannotBePrintedAreRefused) {
    for (const std::string name : {"a\nb", "\x1b[2J", "\xff\xfe", "\xc0\xaf"}) {
        onnx::ModelProto proto = model("agraph (float[2] x) => (float[2] y) { y = Relu(x) }");
        proto.mutable_graph()->mutable_node(0)->set_name(name);
        expect_contains(refusal(proto), "no printable text");
    }
    onnx::ModelProto proto = model("agraph (float[2] x) => (float[2] y) { y = Relu(x) }");
    proto.mutable_graph()->mutable_node(0)->set_name("größe");
    EXPECT_EQ(refusal(proto), "");
}

TEST(HostileModel, TextsThatCannotBePrintedAreRefused) {
    onnx::ModelProto proto = model(R"(agraph (float[2] x) => (float[2] y)
        { [g] y = Gelu <approximate = "none"> (x) })");
    onnx::AttributeProto &text = *proto.mutable_graph()->mutable_node(0)->mutable_attribute(0);
    for (const std::string value : {"a\nb", "\x1b[2J", "\xff"}) {
        text.set_s(value);
        expect_contains(refusal(proto), "the text of attribute 'approximate' is no printable text");
    }
    text.set_s(std::string(5000, 'x'));
    expect_contains(refusal(proto), "more than the 4096 accepted");
}

TEST(HostileModel, EmptyTensorsAreRefused) {
    expect_contains(refusal("agraph (float[0,2] x) => (float[0,2] y) { y = Relu(x) }"),
                    "no elements");
}

}  // namespace
}  // namespace emulsion::test
