#include "fusion/search/post_dominators.h"

namespace emulsion {

std::vector<int> post_dominators(const OperatorGraph &graph, const std::vector<bool> &alone) {
    const std::vector<std::vector<int>> consumers = graph.consumers();
    const int count = static_cast<int>(graph.operators.size());
    std::vector<int> parents(graph.operators.size(), -1);
    const auto parent = [&](int op) -> int & { return parents[static_cast<size_t>(op)]; };
    // Parents come after their children in topological order: the nearest common one is found by
    // climbing from the smaller index.
    const auto meet = [&](int a, int b) {
        while (a != b && a >= 0 && b >= 0) {
            int &lower = a < b ? a : b;
            lower = parent(lower);
        }
        return a == b ? a : -1;
    };
    for (int op = count; op-- > 0;) {
        const int result = graph.operators[static_cast<size_t>(op)].result;
        const std::vector<int> &readers = consumers[static_cast<size_t>(result)];
        if (graph.values[static_cast<size_t>(result)].is_output || is_marked(alone, op) ||
            readers.empty()) {
            continue;
        }
        int common = readers.front();
        bool feeds_alone = false;
        for (const int reader : readers) {
            common = common < 0 ? common : meet(common, reader);
            feeds_alone = feeds_alone || is_marked(alone, reader);
        }
        parent(op) = feeds_alone ? -1 : common;
    }
    return parents;
}

}  // namespace emulsion
