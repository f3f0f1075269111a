#include "autoscheduler/lowered/program_graph.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "tests/autoscheduler/lowered/product.h"

namespace emulsion {

namespace {

using namespace Halide;
using test::Product;

using Graph = std::vector<std::vector<float>>;

Graph graph_of(Product &product) { return program_graph(product.lowered()); }

std::string kind_of(const std::vector<float> &node) {
    return program_node_kinds().at(static_cast<size_t>(node[2]));
}

std::map<std::string, int> kinds_in(const Graph &graph) {
    std::map<std::string, int> kinds;
    for (const std::vector<float> &node : graph) {
        kinds[kind_of(node)]++;
    }
    return kinds;
}

double number(const std::vector<float> &node, const std::string &name) {
    const auto &names = program_node_numbers();
    const auto found = std::find(names.begin(), names.end(), name);
    EXPECT_NE(names.end(), found) << name;
    return std::exp2(node[3 + static_cast<size_t>(found - names.begin())]) - 1.0;
}

// The nodes of a kind.
Graph of_kind(const Graph &graph, const std::string &kind) {
    Graph found;
    std::copy_if(graph.begin(), graph.end(), std::back_inserter(found),
                 [&](const std::vector<float> &node) { return kind_of(node) == kind; });
    return found;
}

TEST(ProgramGraph, HasANodeForAllThatTheCodeHas) {
    Product product;
    product.sum.compute_root();
    const Graph graph = graph_of(product);
    const auto kinds = kinds_in(graph);
    EXPECT_EQ(1, kinds.at("program"));
    EXPECT_EQ(1, kinds.at("allocation")) << "of the sums";
    EXPECT_EQ(3, kinds.at("statement")) << "zeros, sums, result";
    EXPECT_EQ(3, kinds.at("write"));
    EXPECT_EQ(4, kinds.at("read")) << "sum, a and b; sum";
    EXPECT_EQ(1, kinds.at("float multiply-add"));
    EXPECT_EQ(1, kinds.at("float compare"));
    EXPECT_EQ(4096.0, std::round(number(of_kind(graph, "float multiply-add")[0], "total")));
    EXPECT_EQ(2048.0, std::round(number(of_kind(graph, "allocation")[0], "count"))) << "bytes";
}

TEST(ProgramGraph, IsATreeWhoseReadersKnowTheirAllocation) {
    Product product;
    product.sum.compute_at(product.out, product.y);
    const Graph graph = graph_of(product);
    const size_t row = 3 + program_node_numbers().size();
    int linked = 0;
    for (size_t i = 0; i < graph.size(); i++) {
        ASSERT_EQ(row, graph[i].size());
        EXPECT_EQ(i == 0, graph[i][0] == 0.0F);
        EXPECT_LE(graph[i][0], static_cast<float>(i));
        EXPECT_LE(graph[i][1], static_cast<float>(i));
        if (graph[i][1] > 0.0F) {
            EXPECT_EQ("allocation", kind_of(graph[static_cast<size_t>(graph[i][1]) - 1]));
            linked++;
        }
    }
    EXPECT_EQ(4, linked) << "written twice, read twice";
    // Inside of the loop over rows.
    const Graph allocations = of_kind(graph, "allocation");
    ASSERT_EQ(1u, allocations.size());
    EXPECT_EQ("serial loop", kind_of(graph[static_cast<size_t>(allocations[0][0]) - 1]));
}

TEST(ProgramGraph, TellsSchedulesApart) {
    Product serial, parallel;
    for (Product *product : {&serial, &parallel}) {
        product->sum.compute_root();
        product->out.vectorize(product->x, 8).unroll(product->x, 2);
    }
    parallel.out.parallel(parallel.y);
    const Graph graph = graph_of(serial), other = graph_of(parallel);
    EXPECT_EQ(0, kinds_in(graph).count("parallel loop"));
    EXPECT_EQ(1, kinds_in(other).at("parallel loop"));
    // Copies that unrolling has made are one statement, which says so.
    double copies = 0.0, lanes = 0.0;
    for (const std::vector<float> &statement : of_kind(graph, "statement")) {
        copies = std::max(copies, number(statement, "count"));
        lanes = std::max(lanes, number(statement, "lanes"));
    }
    EXPECT_EQ(2.0, std::round(copies));
    EXPECT_EQ(8.0, std::round(lanes));
    EXPECT_EQ(graph, graph_of(serial));
}

TEST(ProgramGraph, HasNoMoreKindsThanItSays) {
    EXPECT_GE(32u, program_node_kinds().size()) << "kNodeKinds of tuner/graph/program_batch.h";
    Product product;
    for (const std::vector<float> &node : graph_of(product)) {
        EXPECT_LT(node[2], static_cast<float>(program_node_kinds().size()));
    }
}

}  // namespace

}  // namespace emulsion
