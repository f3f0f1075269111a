#include "fusion/operator_graph.h"

#include <algorithm>

namespace emulsion {

std::vector<int> OperatorGraph::producers() const {
    std::vector<int> result(values.size(), -1);
    for (size_t op = 0; op < operators.size(); op++) {
        result[static_cast<size_t>(operators[op].result)] = static_cast<int>(op);
    }
    return result;
}

std::vector<std::vector<int>> OperatorGraph::consumers() const {
    std::vector<std::vector<int>> result(values.size());
    for (size_t op = 0; op < operators.size(); op++) {
        for (const Operand &operand : operators[op].implementations.front().operands) {
            std::vector<int> &readers = result[static_cast<size_t>(operand.value)];
            if (readers.empty() || readers.back() != static_cast<int>(op)) {
                readers.push_back(static_cast<int>(op));
            }
        }
    }
    return result;
}

bool reads_in_place(const OperatorGraph &graph, const PlannerOperator &reader,
                    const Operand &operand) {
    return operand.type == MappingType::OneToOne &&
           graph.values[static_cast<size_t>(operand.value)].extents ==
               graph.values[static_cast<size_t>(reader.result)].extents &&
           std::all_of(operand.offset.begin(), operand.offset.end(),
                       [](int64_t offset) { return offset == 0; });
}

}  // namespace emulsion
