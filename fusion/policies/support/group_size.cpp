#include "fusion/policies/support/group_size.h"

#include <set>

namespace emulsion {

size_t group_inputs(const OperatorGraph &graph, const std::vector<int> &members) {
    const auto op = [&](int i) -> const PlannerOperator & {
        return graph.operators[static_cast<size_t>(i)];
    };
    std::set<int> read;
    for (const int member : members) {
        for (const Operand &operand : op(member).implementations.front().operands) {
            read.insert(operand.value);
        }
    }
    for (const int member : members) {
        read.erase(op(member).result);
    }
    return read.size();
}

}  // namespace emulsion
