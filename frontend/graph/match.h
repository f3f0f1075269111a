// What a value is made of, for passes that recognise groups of nodes.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "frontend/graph/graph.h"

namespace emulsion {

class Match {
public:
    // `graph` must not get other producers while this is in use.
    explicit Match(const Graph &graph) : graph_(graph), producers_(graph.producers()) {}

    // The ai.onnx node of type `type` that makes `value`, or null.
    const Node *made_by(TensorId value, const std::string &type) const;
    // The operands of the node of type `type` that makes `value` from two operands; else none.
    std::vector<TensorId> two_operands(TensorId value, const std::string &type) const;
    // The other operand of the node of type `type` that makes `value` from two operands, one of
    // which is `operand`; else kNoTensor.
    TensorId other_operand(TensorId value, const std::string &type, TensorId operand) const;
    // Whether `value` is a constant of one real number, close to `number`.
    bool is_number(TensorId value, double number) const;
    // As other_operand, where the known operand is a constant close to `number`.
    TensorId operand_beside(TensorId value, const std::string &type, double number) const;

private:
    const Graph &graph_;
    std::vector<int> producers_;
};

}  // namespace emulsion
