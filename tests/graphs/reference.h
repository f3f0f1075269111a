// The reference of random graphs: every operator in plain loops over doubles, from ONNX's definition. It shares
// nothing with the compiler but the graph: no planning, no Halide, no shape inference.
#pragma once

#include <functional>
#include <map>
#include <string>
#include <vector>

#include "frontend/graph/graph.h"
#include "tests/graphs/value.h"

namespace emulsion::test {

// One node with the values of its operands; nullptr for an absent one.
struct Call {
    const Node &node;
    std::vector<const Value *> inputs;

    bool has(size_t index) const { return index < inputs.size() && inputs[index] != nullptr; }
    const Value &operator[](size_t index) const { return *inputs.at(index); }
    std::vector<int64_t> integers(size_t index) const;
    int64_t integer(const std::string &key, int64_t otherwise) const {
        return node.integer(key, otherwise);
    }
};

// All results of the operator.
using Evaluate = std::function<std::vector<Value>(const Call &)>;

// Throws Error for an operator that no kind of the generator has.
std::vector<Value> evaluate_call(const Call &call);

// Of every tensor, by id; `inputs` by position in graph.inputs.
std::vector<Value> evaluate_graph(const Graph &graph, const std::vector<Value> &inputs);

Value value_of(const Tensor &constant);
// Rounded to its type.
void round_to_type(Value &value);

}  // namespace emulsion::test
