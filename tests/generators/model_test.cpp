// Whole networks as one pipeline, scheduled by Gao2025, against their operators one by one.
#include <cstring>

#include "frontend/graph/pass.h"
#include "frontend/lower/evaluate.h"
#include "frontend/onnx/loader.h"
#include "tests/generators/row_major.h"
#include "tiny_plain_pipeline.h"
#include "tiny_residual_pipeline.h"

namespace emulsion {
namespace {

using Pipeline = int (*)(halide_buffer_t *, halide_buffer_t *, halide_buffer_t *);

std::string built(const std::string &name) {
    return std::string(EMULSION_BINARY_DIR) + "/generators/" + name;
}

RowMajor read_weights(const std::string &path) {
    std::ifstream in(path, std::ios::binary);
    const std::string bytes{std::istreambuf_iterator<char>(in), {}};
    RowMajor weights({static_cast<int>(bytes.size() / sizeof(float))});
    std::memcpy(weights.data.data(), bytes.data(), bytes.size());
    return weights;
}

RowMajor tensor_like(const Tensor &tensor, unsigned seed) {
    std::vector<int> shape;
    for (const int64_t extent : tensor.extents()) {
        shape.push_back(static_cast<int>(extent));
    }
    return {shape, seed};
}

ConstantData constant_of(const RowMajor &array) {
    std::vector<std::byte> bytes(array.data.size() * sizeof(float));
    std::memcpy(bytes.data(), array.data.data(), bytes.size());
    return make_constant(std::move(bytes));
}

void expect_the_network(Pipeline pipeline, const std::string &network) {
    Graph graph = run_passes(load_model(built(network + ".onnx")));
    RowMajor input = tensor_like(graph.tensor(graph.inputs.at(0)), 1);
    RowMajor output = tensor_like(graph.tensor(graph.outputs.at(0)), 2);
    RowMajor weights = read_weights(built(network + "_pipeline.weights"));
    ASSERT_FALSE(weights.data.empty());
    ASSERT_EQ(pipeline(input.buffer(), weights.buffer(), output.buffer()), 0);

    graph.tensor(graph.inputs.at(0)).constant = constant_of(input);
    for (const Node &node : graph.nodes) {
        graph.tensor(node.result()).constant = evaluate(graph, node).at(0);
    }
    const float *expected = graph.tensor(graph.outputs.at(0)).constant->as<float>();
    size_t next = 0;
    expect_close(output, [&](const std::vector<int> &) { return expected[next++]; });
    EXPECT_NE(schedule_of(network + "_pipeline").find(".compute_at("), std::string::npos);
}

TEST(ModelGenerator, OnePipelineComputesTinyPlain) {
    expect_the_network(tiny_plain_pipeline, "tiny_plain");
}

TEST(ModelGenerator, OnePipelineComputesTinyResidual) {
    expect_the_network(tiny_residual_pipeline, "tiny_residual");
}

}  // namespace
}  // namespace emulsion
