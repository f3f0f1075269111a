#include "generators/graph_pipeline.h"

#include <gtest/gtest.h>

#include "fusion/error.h"
#include "generators/graph_builder.h"

namespace emulsion {
namespace {

std::vector<Halide::Func> build(const Graph &graph) {
    std::map<TensorId, TensorSource> sources;
    for (const TensorId id : graph.inputs) {
        sources.emplace(id, TensorSource::buffer(graph.tensor(id), graph.tensor(id).name, {}));
    }
    return build_pipeline(graph, sources);
}

Graph chain_of_relus(int count) {
    GraphBuilder g;
    TensorId x = g.input("x", {4});
    for (int i = 0; i < count; i++) {
        x = g.node("Relu", {x}, {4});
    }
    return g.finish(x);
}

TEST(GraphPipeline, RefusesTooManyStagesAndNamesTheWay) {
    EXPECT_EQ(build(chain_of_relus(kMaxStages)).size(), 1U);
    try {
        build(chain_of_relus(kMaxStages + 1));
        FAIL();
    } catch (const Error &error) {
        const std::string what = error.what();
        EXPECT_NE(what.find("301 stages"), std::string::npos) << what;
        EXPECT_NE(what.find("emulsion_add_model"), std::string::npos) << what;
    }
}

TEST(GraphPipeline, RefusesAnOutputThatIsAnInput) {
    Graph graph = chain_of_relus(1);
    graph.outputs.push_back(graph.inputs.front());
    EXPECT_THROW(build(graph), Error);
}

TEST(GraphPipeline, NamesPortsByTheirTensorsWhereHalideAcceptsThat) {
    GraphBuilder g;
    const TensorId good = g.input("image", {1}), bad = g.input("0/x:1", {1}),
                   reserved = g.input("a__b", {1});
    const Graph graph = g.finish(g.node("Relu", {good}, {1}));
    EXPECT_EQ(port_names(graph, {good, bad, reserved}, "input"),
              (std::vector<std::string>{"image", "input1", "input2"}));
}

}  // namespace
}  // namespace emulsion
