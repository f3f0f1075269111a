// The tester itself: what it draws, that it finds and shrinks, and a few graphs of it.
#include <gtest/gtest.h>

#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <iterator>

#include <nlohmann/json.hpp>

#include "backend/files.h"
#include "frontend/onnx/write_model.h"
#include "tests/fusion/documented_json.h"
#include "tests/graphs/campaign.h"
#include "tests/graphs/shrink.h"
#include "tests/graphs/table.h"
#include "tests/lower/cpu_targets.h"

namespace emulsion::test {

namespace {

std::string bytes_of(const Graph &graph) {
    const SerializedModel model =
        serialize_model(graph, std::vector<Metadata>(graph.nodes.size()), {}, "weights.bin");
    std::string bytes;
    for (const std::string_view piece : model.model) {
        bytes += piece;
    }
    return bytes;
}

std::string ends_of(const CampaignEnd &end) {
    std::string text;
    for (const Finding &finding : end.findings) {
        text += "tools/fuzz-graphs --graphs 1 --seed " + std::to_string(finding.seed) +
                " finds, under " + finding.end.configuration + ": " + finding.end.text + "\n";
    }
    return text;
}

// A chain of Neg over an input of two elements; every value is an output.
GraphCase chain(size_t nodes) {
    GraphCase example;
    Graph &graph = example.graph;
    graph.opset = 22;
    const auto add = [&] {
        Tensor tensor;
        tensor.name = "t" + std::to_string(graph.tensors.size());
        tensor.shape = {Dim(2)};
        return graph.add_tensor(tensor);
    };
    TensorId last = add();
    graph.inputs = {last};
    example.inputs.emplace_back(DataType::F32, Shape{2});
    example.inputs.back().at = {1.0, -2.0};
    for (size_t i = 0; i < nodes; i++) {
        Node node;
        node.name = "n" + std::to_string(i);
        node.index = static_cast<int>(i);
        node.operator_type = i == 4 ? "Abs" : "Neg";
        node.inputs = {last};
        last = add();
        node.outputs = {last};
        graph.nodes.push_back(node);
        graph.outputs.push_back(last);
    }
    return example;
}

}  // namespace

TEST(Graphs, TheSameSeedGivesTheSameGraph) {
    EXPECT_EQ(bytes_of(random_graph(7).graph), bytes_of(random_graph(7).graph));
    EXPECT_NE(bytes_of(random_graph(7).graph), bytes_of(random_graph(8).graph));
}

TEST(Graphs, HaveTheSizeThatIsAskedFor) {
    for (uint64_t seed = 1; seed <= 10; seed++) {
        const size_t nodes = random_graph(seed).graph.nodes.size();
        EXPECT_GE(nodes, 10U) << seed;
        EXPECT_LE(nodes, 64U) << seed;  // the last step may add a few
    }
}

TEST(Graphs, AProcessThatDiesIsAResult) {
    Forked dies(
        [](const Forked::Write &write) {
            write("so far");
            std::raise(SIGSEGV);
        },
        60.0);
    const ForkedEnd end = dies.wait();
    EXPECT_EQ(SIGSEGV, end.signal);
    EXPECT_EQ("so far", end.results);
}

TEST(Graphs, AProcessThatDoesNotEndIsEnded) {
    Forked endless(
        [](const Forked::Write &) {
            for (;;) {
            }
        },
        0.2);
    EXPECT_TRUE(endless.wait().timed_out);
}

TEST(Graphs, AreShrunkToWhatFails) {
    const auto has_abs = [](const GraphCase &example) {
        return example.graph.nodes.size() > 0 &&
               std::any_of(example.graph.nodes.begin(), example.graph.nodes.end(),
                           [](const Node &node) { return node.operator_type == "Abs"; });
    };
    const GraphCase small = shrink(chain(9), has_abs, 60.0);
    ASSERT_EQ(1U, small.graph.nodes.size());
    EXPECT_EQ("Abs", small.graph.nodes.front().operator_type);
    EXPECT_EQ((std::vector<double>{1.0, -2.0}), small.inputs.front().at);
}

// tools/fuzz-graphs --planted replaces text that has to be there.
TEST(Graphs, PlantedBugsFitTheSource) {
    const auto read = [](const std::string &name) {
        std::ifstream file(EMULSION_SOURCE_DIR "/" + name);
        return std::string(std::istreambuf_iterator<char>(file), {});
    };
    for (const auto &bug : nlohmann::json::parse(read("tests/graphs/planted/bugs.json"))) {
        const std::string text = read(bug["file"]), from = bug["from"];
        const size_t first = text.find(from);
        EXPECT_NE(std::string::npos, first) << bug["name"];
        EXPECT_EQ(std::string::npos, text.find(from, first + 1)) << bug["name"];
    }
}

TEST(Graphs, ACampaignThatIsMostlyRefusedIsNotClean) {
    CampaignEnd end;
    end.runs = 100;
    end.refused = 5;
    EXPECT_FALSE(end.refuses_too_much());
    end.refused = 6;
    EXPECT_TRUE(end.refuses_too_much());
}

TEST(Graphs, FiguresAreAsDocumented) {
    CampaignEnd end;
    end.refusals["too large"] = {};
    end.coverage[{"Conv", "group"}] = 1;
    end.configurations[{"Conv", "none"}] = 1;
    end.findings.emplace_back();
    EXPECT_EQ("", undocumented(nlohmann::json::parse(
                      json_document("emulsion-fuzz-graphs", to_json(end, CampaignOptions())))));
}

// From EMULSION_TEST_SEED, or the same ones every time: what another search finds is not this change's.
TEST(Graphs, AreRightInEveryConfiguration) {
    const TemporaryFolder folder(std::filesystem::temp_directory_path() / "emulsion-graphs-test-");
    CampaignOptions options;
    options.folder = folder.path();
    const char *seed = std::getenv("EMULSION_TEST_SEED");
    options.seed = seed != nullptr ? std::strtoull(seed, nullptr, 10) : 2000;
    options.seconds = 8.0;
    options.most_nodes = 25;
    options.graphs = seed != nullptr ? 1 : 20;
    options.targets = cpu_targets();
    options.progress = false;
    const CampaignEnd end = run_campaign(options);
    std::cout << end.graphs << " graphs from EMULSION_TEST_SEED=" << options.seed << "\n";
    EXPECT_EQ("", ends_of(end));
}

// Without compiling: drawn and computed by the reference only.
TEST(SlowGraphs, DrawEveryOptionOfEveryKind) {
    Coverage coverage;
    for (uint64_t seed = 1; seed <= 250; seed++) {
        random_graph(seed, &coverage);
    }
    for (const GraphKind *kind : all_graph_kinds()) {
        for (const std::string &option : kind->options) {
            EXPECT_GT((coverage[{kind->name, option}]), 0) << kind->name << ": " << option;
        }
    }
}

}  // namespace emulsion::test
