#include "frontend/zoo/zoo.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>

#include "frontend/onnx/loader.h"
#include "frontend/zoo/networks.h"
#include "frontend/zoo/random.h"
#include "tests/frontend/models.h"

namespace emulsion::test {
namespace {

// Weights of convolutions and matrix products, and scale and bias of batch norms.
int64_t count_parameters(const Graph &graph) {
    int64_t count = 0;
    for (const Node &node : graph.nodes) {
        const bool norm = node.operator_type == "BatchNormalization";
        if (!norm && node.operator_type != "Conv" && node.operator_type != "Gemm") {
            continue;
        }
        const size_t end = norm ? 3 : node.inputs.size();
        for (size_t i = 1; i < end; ++i) {
            count += graph.tensor(node.inputs[i]).element_count();
        }
    }
    return count;
}

class ZooTest : public ::testing::TestWithParam<std::string> {};

TEST_P(ZooTest, HasTheParametersThatItsEntryStates) {
    const TemporaryFolder folder;
    const std::string path = folder.file("model.onnx");
    write_zoo_model(GetParam(), path);
    const Graph graph = load_model(path);
    const auto entry = std::find_if(zoo_entries().begin(), zoo_entries().end(),
                                    [&](const ZooEntry &e) { return e.name == GetParam(); });
    ASSERT_NE(entry, zoo_entries().end());
    EXPECT_EQ(count_parameters(graph), entry->parameters);
    EXPECT_EQ(graph.tensor(graph.outputs.at(0)).name, "logits");
}

INSTANTIATE_TEST_SUITE_P(Zoo, ZooTest,
                         ::testing::Values("mobilenet_v1", "tiny_plain", "tiny_residual"),
                         [](const auto &info) { return info.param; });

TEST(Zoo, MobileNetHas4MillionParametersAndItsBatchNormsAsNodes) {
    const TemporaryFolder folder;
    const std::string path = folder.file("model.onnx");
    write_zoo_model("mobilenet_v1", path);
    const Graph graph = load_model(path);
    EXPECT_EQ(count_parameters(graph), 4'231'976);
    EXPECT_EQ(std::count_if(graph.nodes.begin(), graph.nodes.end(),
                            [](const Node &n) { return n.operator_type == "BatchNormalization"; }),
              27);
}

TEST(Zoo, Vgg16Has138MillionParameters) {
    // Half a gigabyte: built, but not written.
    NetworkBuilder builder("vgg16", 1);
    zoo_vgg16().build(builder);
    EXPECT_EQ(builder.parameters(), 138'357'544);
    EXPECT_EQ(zoo_vgg16().entry.parameters, 138'357'544);
}

TEST(Zoo, EqualSeedsGiveEqualBytesAndOthersDoNot) {
    const TemporaryFolder folder;
    write_zoo_model("tiny_residual", folder.file("a"), 3);
    write_zoo_model("tiny_residual", folder.file("b"), 3);
    write_zoo_model("tiny_residual", folder.file("c"), 4);
    EXPECT_EQ(read_file(folder.file("a")), read_file(folder.file("b")));
    EXPECT_NE(read_file(folder.file("a")), read_file(folder.file("c")));
}

TEST(Zoo, RandomNumbersAreTheSameOnEveryMachine) {
    Random random(1, "x");
    EXPECT_EQ(random.next(), 15082775849473261888U);
    EXPECT_EQ(random.normal(), 0x1.a44944p+0F);
}

TEST(Zoo, AnUnknownNameIsRefusedWithTheKnownOnes) {
    try {
        write_zoo_model("lenet", "/nonexistent/file");
        FAIL();
    } catch (const Error &error) {
        EXPECT_EQ(error.exit_code(), 2);
        EXPECT_NE(error.message().find("vgg16"), std::string::npos) << error.what();
    }
}

TEST(Zoo, AFileThatCannotBeWrittenLeavesNothingBehind) {
    const TemporaryFolder folder;
    std::filesystem::create_directory(folder.path() / "taken");
    for (const std::string &path : {folder.file("no/such/folder"), folder.file("taken")}) {
        try {
            write_zoo_model("tiny_plain", path);
            FAIL();
        } catch (const Error &error) {
            EXPECT_EQ(error.exit_code(), 1);
        }
    }
    const std::filesystem::directory_iterator entries(folder.path());
    EXPECT_EQ(std::distance(begin(entries), end(entries)), 1) << "only the folder itself";
}

// Runs the small networks in ONNX Runtime and looks at every activation.
TEST(Zoo, ActivationsStayInRangeAndOutputsDependOnTheInput) {
    const std::string python = EMULSION_SOURCE_DIR "/build/venv/bin/python";
    if (!std::filesystem::exists(python)) {
        GTEST_SKIP() << "no Python environment: run tools/setup";
    }
    const TemporaryFolder folder;
    std::string command = python + " " EMULSION_SOURCE_DIR "/tests/frontend/activation_range.py";
    for (const std::string name : {"tiny_plain", "tiny_residual"}) {
        write_zoo_model(name, folder.file(name));
        command += " " + folder.file(name);
    }
    EXPECT_EQ(std::system(command.c_str()), 0) << command;
}

}  // namespace
}  // namespace emulsion::test
