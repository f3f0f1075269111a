#include "frontend/graph/match.h"

#include <cmath>
#include <cstring>

namespace emulsion {

namespace {

// Exporters write numbers such as sqrt(2) with as few as six digits.
constexpr double kRelativeTolerance = 1e-5;

}  // namespace

const Node *Match::made_by(TensorId value, const std::string &type) const {
    const int producer = value == kNoTensor ? -1 : producers_.at(static_cast<size_t>(value));
    if (producer < 0) {
        return nullptr;
    }
    const Node &node = graph_.nodes.at(static_cast<size_t>(producer));
    return node.domain.empty() && node.operator_type == type && !node.inputs.empty() ? &node
                                                                                     : nullptr;
}

std::vector<TensorId> Match::two_operands(TensorId value, const std::string &type) const {
    const Node *node = made_by(value, type);
    return node != nullptr && node->inputs.size() == 2 ? node->inputs : std::vector<TensorId>{};
}

TensorId Match::other_operand(TensorId value, const std::string &type, TensorId operand) const {
    const std::vector<TensorId> operands = two_operands(value, type);
    if (operands.empty() || (operands[0] != operand && operands[1] != operand)) {
        return kNoTensor;
    }
    return operands[0] == operand ? operands[1] : operands[0];
}

bool Match::is_number(TensorId value, double number) const {
    if (value == kNoTensor) {
        return false;
    }
    const Tensor &tensor = graph_.tensor(value);
    if (!tensor.is_constant() || !is_float(tensor.type) || tensor.element_count() != 1) {
        return false;
    }
    // The bytes may be unaligned: they can lie inside a model's protobuf.
    double real = 0.0;
    if (tensor.type == DataType::F64) {
        std::memcpy(&real, tensor.constant->bytes, sizeof(real));
    } else {
        float single = 0.0F;
        std::memcpy(&single, tensor.constant->bytes, sizeof(single));
        real = single;
    }
    return std::abs(real - number) <= kRelativeTolerance * std::abs(number);
}

TensorId Match::operand_beside(TensorId value, const std::string &type, double number) const {
    for (const TensorId operand : two_operands(value, type)) {
        if (is_number(operand, number)) {
            return other_operand(value, type, operand);
        }
    }
    return kNoTensor;
}

}  // namespace emulsion
