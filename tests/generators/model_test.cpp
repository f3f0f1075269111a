// Whole networks as one pipeline, scheduled by Gao2025, against their operators one by one.
#include <cstring>

#include "frontend/graph/pass.h"
#include "frontend/lower/evaluate.h"
#include "frontend/onnx/loader.h"
#include "mobilenet_v1_pipeline.h"
#include "tests/generators/row_major.h"
#include "tiny_attention_pipeline.h"
#include "tiny_concat_pipeline.h"
#include "tiny_plain_pipeline.h"
#include "tiny_residual_pipeline.h"
#include "tiny_squeeze_excite_pipeline.h"

namespace emulsion {
namespace {

using Pipeline = int (*)(void **arguments);

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

// Arguments: the inputs, the weights, the outputs.
void expect_the_network(Pipeline pipeline, const std::string &network) {
    Graph graph = run_passes(load_model(built(network + ".onnx")));
    std::vector<RowMajor> arrays;
    for (const TensorId id : graph.inputs) {
        arrays.push_back(tensor_like(graph.tensor(id), static_cast<unsigned>(arrays.size())));
        graph.tensor(id).constant = constant_of(arrays.back());
    }
    arrays.push_back(read_weights(built(network + "_pipeline.weights")));
    ASSERT_FALSE(arrays.back().data.empty());
    for (const TensorId id : graph.outputs) {
        arrays.push_back(tensor_like(graph.tensor(id), static_cast<unsigned>(arrays.size())));
    }
    std::vector<Halide::Runtime::Buffer<float>> buffers;
    for (RowMajor &array : arrays) {
        buffers.push_back(array.buffer());
    }
    std::vector<void *> arguments;
    for (auto &buffer : buffers) {
        arguments.push_back(buffer.raw_buffer());
    }
    ASSERT_EQ(pipeline(arguments.data()), 0);

    for (const Node &node : graph.nodes) {
        graph.tensor(node.result()).constant = evaluate(graph, node).at(0);
    }
    for (size_t i = 0; i < graph.outputs.size(); i++) {
        const float *expected = graph.tensor(graph.outputs[i]).constant->as<float>();
        size_t next = 0;
        expect_close(arrays[graph.inputs.size() + 1 + i],
                     [&](const std::vector<int> &) { return expected[next++]; });
    }
    EXPECT_NE(schedule_of(network + "_pipeline").find(".compute_at("), std::string::npos);
}

TEST(ModelGenerator, OnePipelineComputesTinyPlain) {
    expect_the_network(tiny_plain_pipeline_argv, "tiny_plain");
}

TEST(SlowModelGenerator, OnePipelineComputesTinyResidual) {
    expect_the_network(tiny_residual_pipeline_argv, "tiny_residual");
}

TEST(ModelGenerator, OnePipelineComputesTinySqueezeExcite) {
    expect_the_network(tiny_squeeze_excite_pipeline_argv, "tiny_squeeze_excite");
}

TEST(SlowModelGenerator, OnePipelineComputesTinyConcat) {
    expect_the_network(tiny_concat_pipeline_argv, "tiny_concat");
}

TEST(SlowModelGenerator, OnePipelineComputesTinyAttention) {
    expect_the_network(tiny_attention_pipeline_argv, "tiny_attention");
}

TEST(SlowModelGenerator, OnePipelineComputesMobileNet) {
    expect_the_network(mobilenet_v1_pipeline_argv, "mobilenet_v1");
}

}  // namespace
}  // namespace emulsion
