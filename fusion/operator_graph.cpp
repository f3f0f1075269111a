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

}  // namespace emulsion
