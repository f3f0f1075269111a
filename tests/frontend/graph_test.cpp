#include "frontend/graph/graph.h"

#include <gtest/gtest.h>

#include "tests/frontend/models.h"

namespace emulsion::test {
namespace {

// x -> Relu -> t -> Relu -> y
Graph chain_of_relus() {
    return load("agraph (float[2] x) => (float[2] y) { t = Relu(x) y = Relu(t) }");
}

void expect_broken(const Graph &graph, const std::string &reason) {
    try {
        graph.verify();
        ADD_FAILURE() << "accepted, but " << reason;
    } catch (const Error &error) {
        EXPECT_NE(error.message().find(reason), std::string::npos) << error.what();
    }
}

TEST(Graph, ProducersAndConsumersFollowTheEdges) {
    const Graph graph = chain_of_relus();
    const TensorId x = graph.nodes[0].inputs[0];
    const TensorId t = graph.nodes[0].outputs[0];
    const TensorId y = graph.nodes[1].outputs[0];
    EXPECT_EQ(graph.producer(x), -1);
    EXPECT_EQ(graph.producer(t), 0);
    EXPECT_EQ(graph.producers()[static_cast<size_t>(y)], 1);
    EXPECT_EQ(graph.consumers()[static_cast<size_t>(t)], std::vector<int>{1});
    EXPECT_TRUE(graph.is_output(y));
    EXPECT_FALSE(graph.is_output(t));
}

TEST(Graph, DeadNodesGoAndTheirWeightsWithThem) {
    Graph graph = load(R"(agraph (float[2] x) => (float[2] y) <float[2] w = {1, 2}>
        { a = Add(x, w) b = Relu(a) y = Relu(x) })");
    graph.remove_dead_nodes();
    EXPECT_EQ(operators(graph), "Relu");
    EXPECT_FALSE(tensor(graph, "w").is_constant());
    EXPECT_NO_THROW(graph.verify());
}

TEST(Graph, VerifyFindsIdsOutOfRange) {
    Graph graph = chain_of_relus();
    graph.nodes[0].inputs[0] = 99;
    expect_broken(graph, "99");
    graph.nodes[0].inputs[0] = -7;
    expect_broken(graph, "-7");
}

TEST(Graph, VerifyFindsValuesReadTooEarly) {
    Graph graph = chain_of_relus();
    std::swap(graph.nodes[0], graph.nodes[1]);
    expect_broken(graph, "read before it is made");
}

TEST(Graph, VerifyFindsValuesMadeTwice) {
    Graph graph = chain_of_relus();
    graph.nodes[1].outputs = graph.nodes[0].outputs;
    expect_broken(graph, "made twice");
}

TEST(Graph, VerifyFindsOutputsThatNothingMakes) {
    Graph graph = chain_of_relus();
    graph.nodes.pop_back();
    expect_broken(graph, "no node makes graph output 'y'");
}

TEST(Graph, VerifyFindsNamesUsedTwice) {
    Graph graph = chain_of_relus();
    graph.tensor(graph.outputs[0]).name = "t";
    expect_broken(graph, "two tensors are named 't'");
}

TEST(Graph, VerifyFindsConstantsOfTheWrongSize) {
    Graph graph = chain_of_relus();
    Tensor tensor;
    tensor.name = "c";
    tensor.shape = {Dim(3)};
    tensor.constant = make_constant(std::vector<std::byte>(8));
    graph.add_tensor(tensor);
    expect_broken(graph, "has 8 bytes");
}

TEST(Graph, AttributesOfAnotherTypeAreRefused) {
    Node node;
    node.name = "n";
    node.attributes["axis"] = 1.5;
    EXPECT_THROW(node.integer("axis", 0), Error);
    EXPECT_EQ(node.real("axis", 0.0), 1.5);
    EXPECT_EQ(node.integer("keepdims", 1), 1);
}

}  // namespace
}  // namespace emulsion::test
