// The tensor graph: what a model is after loading, and what passes, planning and lowering work on.
// Small, typed, and free of protobuf. Nodes are kept in topological order.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "frontend/graph/data_type.h"
#include "fusion/error.h"

namespace emulsion {

// A dimension: a constant, or a named symbol ("batch") that has no value yet.
class Dim {
public:
    Dim(int64_t value) : value_(value) {}
    explicit Dim(std::string symbol) : value_(-1), symbol_(std::move(symbol)) {}

    bool is_constant() const { return symbol_.empty(); }
    int64_t value() const { return value_; }  // only of a constant
    const std::string &symbol() const { return symbol_; }
    bool operator==(const Dim &) const = default;

private:
    int64_t value_;
    std::string symbol_;
};

// Bytes of a constant, row-major, in the machine's byte order. `owner` keeps them alive (a model's
// protobuf, a mapped file, a vector); copies are cheap and share the bytes.
struct ConstantData {
    std::shared_ptr<const void> owner;
    const std::byte *bytes = nullptr;
    size_t size = 0;

    template<typename T>
    const T *as() const {
        return reinterpret_cast<const T *>(bytes);
    }
};

// A copy of `values` as constant data.
ConstantData make_constant(std::vector<std::byte> values);

// Affine quantisation of a tensor's elements: real = scale * (stored - zero_point). Always empty
// until quantised models are supported.
struct Quantization {
    float scale = 1.0F;
    int64_t zero_point = 0;
};

using TensorId = int;
constexpr TensorId kNoTensor = -1;  // an optional input that is absent

struct Tensor {
    std::string name;  // ONNX value name; unique
    DataType type = DataType::F32;
    std::vector<Dim> shape;
    std::optional<ConstantData> constant;  // set for initializers and folded values
    std::optional<Quantization> quantization;

    int rank() const { return static_cast<int>(shape.size()); }
    bool is_constant() const { return constant.has_value(); }
    // The shape as integers. Throws Error, naming the tensor and the symbol, when one is unknown.
    std::vector<int64_t> extents() const;
    // Number of elements; checked.
    int64_t element_count() const;
};

// Attribute values. A tensor attribute (Constant's `value`) becomes a constant Tensor at loading
// and never reaches this type.
using Attribute = std::variant<int64_t, double, std::string, std::vector<int64_t>,
                               std::vector<double>, std::vector<std::string>>;

struct Node {
    std::string name;               // ONNX node name, or "OPTYPE_INDEX" where the model gives none
    int index = -1;                 // position in the model's node list, for messages
    std::string operator_type;      // "Conv"
    std::string domain;             // "" is ai.onnx
    std::vector<TensorId> inputs;   // kNoTensor for an absent optional input
    std::vector<TensorId> outputs;  // kNoTensor for those that the node does not compute
    std::map<std::string, Attribute> attributes;

    // Attribute access with ONNX's default. Throws Error when the attribute has another type.
    int64_t integer(const std::string &key, int64_t default_value) const;
    double real(const std::string &key, double default_value) const;
    std::string text(const std::string &key, const std::string &default_value) const;
    std::vector<int64_t> integers(const std::string &key,
                                  const std::vector<int64_t> &default_value) const;
    bool has(const std::string &key) const { return attributes.count(key) != 0; }
    // The result that the node computes, and which of the operator's results it is. Of a node that
    // computes one result only: all are, after loading.
    TensorId result() const { return outputs.at(static_cast<size_t>(result_index())); }
    int result_index() const;
    // The place of this node, for errors.
    ErrorPlace place() const;
};

struct Graph {
    std::string name;
    int64_t opset = 0;  // of domain ai.onnx
    std::vector<Tensor> tensors;
    std::vector<Node> nodes;
    std::vector<TensorId> inputs;  // without initializers
    std::vector<TensorId> outputs;

    const Tensor &tensor(TensorId id) const { return tensors.at(static_cast<size_t>(id)); }
    Tensor &tensor(TensorId id) { return tensors.at(static_cast<size_t>(id)); }
    TensorId add_tensor(Tensor tensor);
    // Index of the node that makes `id`, or -1 (an input or a constant). Linear in the graph: for
    // many questions, make an index once with `producers`.
    int producer(TensorId id) const;
    // For each tensor, the node that makes it or -1.
    std::vector<int> producers() const;
    // For each tensor, the nodes that read it (a node twice if it reads it twice), in order.
    std::vector<std::vector<int>> consumers() const;
    bool is_output(TensorId id) const;
    // All uses of `from` (operands and graph outputs) become uses of `to`.
    void replace_uses(TensorId from, TensorId to);
    // Removes nodes none of whose outputs are used; keeps tensor ids.
    void remove_dead_nodes();
    // Throws Error when an invariant is broken: ids out of range, a tensor made twice, a node that
    // reads what a later node makes, an output that nothing makes, constants whose size does not
    // fit type and shape. Run after every pass.
    void verify() const;
};

}  // namespace emulsion
