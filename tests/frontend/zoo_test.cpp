#include "frontend/zoo/zoo.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <set>

#include "frontend/onnx/loader.h"
#include "frontend/zoo/network.h"
#include "frontend/zoo/random.h"
#include "tests/frontend/models.h"

namespace emulsion::test {
namespace {

// Weights and biases of layers, and scale and bias of normalisations.
int64_t count_parameters(const Graph &graph) {
    int64_t count = 0;
    for (const Node &node : graph.nodes) {
        const std::set<std::string> with_weights = {
            "Conv", "Gemm", "MatMul", "Add", "BatchNormalization", "LayerNormalization"};
        if (!with_weights.contains(node.operator_type)) {
            continue;
        }
        const bool norm = node.operator_type == "BatchNormalization";
        const size_t end = norm ? 3 : node.inputs.size();
        for (size_t i = 1; i < end; ++i) {
            const Tensor &operand = graph.tensor(node.inputs[i]);
            count += operand.is_constant() ? operand.element_count() : 0;
        }
    }
    return count;
}

std::vector<std::string> output_names(const Graph &graph) {
    std::vector<std::string> names;
    for (const TensorId output : graph.outputs) {
        names.push_back(graph.tensor(output).name);
    }
    return names;
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
}

// The large ones have tests of their own.
INSTANTIATE_TEST_SUITE_P(Zoo, ZooTest,
                         ::testing::Values("efficientnet_b0", "mobilenet_v1", "tiny_attention",
                                           "tiny_concat", "tiny_plain", "tiny_residual",
                                           "tiny_squeeze_excite"),
                         [](const auto &info) { return info.param; });

TEST(Zoo, EveryNetworkHasItsEntry) {
    EXPECT_EQ(zoo_entries().size(), 9U);
    for (const ZooEntry &entry : zoo_entries()) {
        EXPECT_GT(entry.parameters, 0) << entry.name;
        EXPECT_FALSE(entry.description.empty()) << entry.name;
    }
}

TEST(Zoo, MobileNetHas4MillionParametersAndItsBatchNormsAsNodes) {
    const TemporaryFolder folder;
    const std::string path = folder.file("model.onnx");
    write_zoo_model("mobilenet_v1", path);
    const Graph graph = load_model(path);
    EXPECT_EQ(count_parameters(graph), 4'231'976);
    EXPECT_EQ(output_names(graph), std::vector<std::string>{"logits"});
    EXPECT_EQ(std::count_if(graph.nodes.begin(), graph.nodes.end(),
                            [](const Node &n) { return n.operator_type == "BatchNormalization"; }),
              27);
}

TEST(Zoo, EfficientNetHas5MillionParametersAndSixteenGates) {
    const TemporaryFolder folder;
    const std::string path = folder.file("model.onnx");
    write_zoo_model("efficientnet_b0", path);
    const Graph graph = load_model(path);
    EXPECT_EQ(count_parameters(graph), 5'288'548);
    const auto count = [&](const std::string &type) {
        return std::count_if(graph.nodes.begin(), graph.nodes.end(),
                             [&](const Node &n) { return n.operator_type == type; });
    };
    EXPECT_EQ(count("BatchNormalization"), 49);
    EXPECT_EQ(count("GlobalAveragePool"), 16 + 1);
    EXPECT_EQ(count("Sigmoid"), 49 + 16);  // every SiLU has one, and every gate
    EXPECT_EQ(count("Add"), 9);
}

TEST(Zoo, YoloHas64MillionParametersAndThreeHeads) {
    const TemporaryFolder folder;
    const std::string path = folder.file("model.onnx");
    write_zoo_model("yolo_v4", path);
    const Graph graph = load_model(path);
    EXPECT_EQ(count_parameters(graph), 64'363'101);
    EXPECT_EQ(output_names(graph), (std::vector<std::string>{"head8", "head16", "head32"}));
    for (const auto &[head, extent] : {std::pair{0, 52}, std::pair{1, 26}, std::pair{2, 13}}) {
        EXPECT_EQ(graph.tensor(graph.outputs[static_cast<size_t>(head)]).extents(),
                  (std::vector<int64_t>{1, 255, extent, extent}));
    }
}

TEST(Zoo, Vgg16Has138MillionParameters) {
    // Half a gigabyte: built, but not written.
    const auto vgg16 = std::find_if(all_networks().begin(), all_networks().end(),
                                    [](const Network *n) { return n->entry.name == "vgg16"; });
    NetworkBuilder builder("vgg16", {});
    (*vgg16)->build(builder);
    EXPECT_EQ(builder.parameters(), 138'357'544);
    EXPECT_EQ((*vgg16)->entry.parameters, 138'357'544);
}

TEST(Zoo, EqualSeedsGiveEqualBytesAndOthersDoNot) {
    const TemporaryFolder folder;
    write_zoo_model("tiny_residual", folder.file("a"), {.seed = 3});
    write_zoo_model("tiny_residual", folder.file("b"), {.seed = 3});
    write_zoo_model("tiny_residual", folder.file("c"), {.seed = 4});
    EXPECT_EQ(read_file(folder.file("a")), read_file(folder.file("b")));
    EXPECT_NE(read_file(folder.file("a")), read_file(folder.file("c")));
}

TEST(Zoo, RandomNumbersAreTheSameOnEveryMachine) {
    PortableRandom random(1, "x");
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

TEST(Zoo, ImagesAreAsManyAndAsLargeAsAskedFor) {
    const TemporaryFolder folder;
    const std::string path = folder.file("large.onnx");
    write_zoo_model("mobilenet_v1", path, {.batch = 4, .image_size = 320});
    const Graph graph = load_model(path);
    EXPECT_EQ(graph.tensor(graph.inputs.front()).extents(), (std::vector<int64_t>{4, 3, 320, 320}));
    EXPECT_EQ(graph.tensor(graph.outputs.front()).extents(), (std::vector<int64_t>{4, 1000}));
}

TEST(Zoo, ImagesThatANetworkCannotHaveAreRefused) {
    const auto message = [](const std::string &name, const ZooOptions &options) -> std::string {
        try {
            write_zoo_model(name, "/nonexistent/file", options);
        } catch (const Error &error) {
            EXPECT_EQ(error.exit_code(), 2);
            return error.message();
        }
        return "";
    };
    EXPECT_NE(message("yolo_v4", {.image_size = 400}).find("multiple of 32"), std::string::npos);
    EXPECT_NE(message("tiny_attention", {.batch = 2}).find("no images"), std::string::npos);
    EXPECT_NE(message("vgg16", {.image_size = 16384}).find("2 GiB"), std::string::npos);
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

// Runs networks in ONNX Runtime and looks at every activation.
void expect_activations_in_range(const std::vector<std::string> &names) {
    const std::string python = EMULSION_SOURCE_DIR "/build/venv/bin/python";
    if (!std::filesystem::exists(python)) {
        GTEST_SKIP() << "no Python environment: run tools/setup";
    }
    const TemporaryFolder folder;
    std::string command = python + " " EMULSION_SOURCE_DIR "/tests/frontend/activation_range.py";
    for (const std::string &name : names) {
        write_zoo_model(name, folder.file(name));
        command += " " + folder.file(name);
    }
    EXPECT_EQ(std::system(command.c_str()), 0) << command;
}

TEST(Zoo, ActivationsStayInRangeAndOutputsDependOnTheInput) {
    expect_activations_in_range(
        {"tiny_attention", "tiny_concat", "tiny_plain", "tiny_residual", "tiny_squeeze_excite"});
}

TEST(SlowZoo, ActivationsOfTheLargeNetworksStayInRange) {
    expect_activations_in_range({"efficientnet_b0", "mobilenet_v1", "yolo_v4"});
}

}  // namespace
}  // namespace emulsion::test
