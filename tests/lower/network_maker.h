// Small networks made in code, with seeded random constants. Shapes are the maker's to infer: what it
// adds is what ONNX would say.
#pragma once

#include <cstdint>
#include <map>
#include <random>
#include <string>
#include <vector>

#include "frontend/graph/graph.h"

namespace emulsion::test {

using Shape = std::vector<int64_t>;

struct ConvShape {
    int64_t channels = 1;  // of the result
    int64_t kernel = 1;
    int64_t stride = 1;
    int64_t dilation = 1;
    int64_t padding = 0;  // on every side
    int64_t group = 1;
    bool bias = true;
};

class NetworkMaker {
public:
    explicit NetworkMaker(uint64_t seed, DataType type = DataType::F32)
        : engine_(seed), type_(type) {}

    const Shape &shape(TensorId id) const { return shapes_.at(static_cast<size_t>(id)); }
    std::mt19937_64 &engine() { return engine_; }

    TensorId input(const Shape &shape);
    // Uniform in [-scale, scale]; of integers, whole numbers in nine times that.
    TensorId constant(const Shape &shape, double scale = 1.0);
    TensorId integers(const std::vector<int64_t> &values);
    TensorId integers(const std::vector<int64_t> &values, const Shape &shape);

    TensorId conv(TensorId x, const ConvShape &c);
    // `type`: MaxPool or AveragePool.
    TensorId pool(const std::string &type, TensorId x, int64_t kernel, int64_t stride,
                  int64_t padding);
    TensorId unary(const std::string &type, TensorId x);
    TensorId clip(TensorId x, double low, double high);
    // Add or Mul, broadcast.
    TensorId binary(const std::string &type, TensorId a, TensorId b);
    TensorId softmax(TensorId x, int64_t axis);
    // `type`: ReduceSum, ReduceMax and so on.
    TensorId reduce(const std::string &type, TensorId x, const std::vector<int64_t> &axes,
                    bool keep);
    TensorId mean(TensorId x, const std::vector<int64_t> &axes, bool keep);
    // Over the last axis, with constant scale and bias.
    TensorId layer_norm(TensorId x);
    TensorId cum_sum(TensorId x, int64_t axis, bool exclusive, bool reverse);
    TensorId transpose(TensorId x, const std::vector<int64_t> &perm);
    TensorId global_average_pool(TensorId x);
    TensorId reshape(TensorId x, const Shape &to);
    TensorId flatten(TensorId x);
    TensorId mat_mul(TensorId a, TensorId b);
    TensorId gemm(TensorId a, TensorId b, TensorId c, bool transpose_b);
    TensorId node(const std::string &type, const std::vector<TensorId> &inputs, const Shape &result,
                  std::map<std::string, Attribute> attributes = {});

    // The graph with these outputs, verified.
    Graph finish(const std::vector<TensorId> &outputs);
    // The same with every value that nobody reads as an output, and `also`.
    Graph finish_all(const std::vector<TensorId> &also = {});

private:
    TensorId add_tensor(const Shape &shape, DataType type);

    std::mt19937_64 engine_;
    DataType type_;
    Graph graph_;
    std::vector<Shape> shapes_;
};

// A number near `value` that tensors of `type` hold exactly; of an integer type, one near nine times `value`.
double exact(double value, DataType type);

// Elements of a constant tensor as doubles, and `values` as bytes of `type`.
std::vector<double> to_doubles(const ConstantData &data, DataType type);
std::vector<std::byte> to_bytes(const std::vector<double> &values, DataType type);

}  // namespace emulsion::test
