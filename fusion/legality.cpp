#include "fusion/legality.h"

#include <algorithm>
#include <set>

namespace emulsion {

namespace {

bool contains(const std::vector<int> &group, int op) {
    return std::binary_search(group.begin(), group.end(), op);
}

}  // namespace

// Every member but the root being read only inside the group makes the group connected (each member
// reaches the root) and convex (a path that leaves it can only start at the root, whose readers come
// after all members).
std::string illegal_because(const OperatorGraph &graph,
                            const std::vector<std::vector<int>> &consumers,
                            const std::vector<int> &group) {
    for (int member : group) {
        const PlannerOperator &op = graph.operators[static_cast<size_t>(member)];
        const bool root = member == group.back();
        const auto &readers = consumers[static_cast<size_t>(op.result)];
        if (root) {
            continue;
        }
        if (graph.values[static_cast<size_t>(op.result)].is_output) {
            return "'" + op.name + "' is an output of the pipeline but not the group's root";
        }
        if (readers.empty()) {
            return "'" + op.name + "' is read by nobody";
        }
        for (int reader : readers) {
            if (!contains(group, reader)) {
                return "'" + op.name + "' is read outside of the group by '" +
                       graph.operators[static_cast<size_t>(reader)].name + "'";
            }
        }
    }
    return "";
}

}  // namespace emulsion
