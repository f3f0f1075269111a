#include "fusion/legality.h"

#include <algorithm>
#include <map>
#include <set>

namespace emulsion {

namespace {

bool contains(const std::vector<int> &group, int op) {
    return std::binary_search(group.begin(), group.end(), op);
}

// A group has one argument for each constant. Returns the name of one that two loop nests of the group
// want in different layouts, or "".
std::string contested_constant(const OperatorGraph &graph, const std::vector<int> &group) {
    std::map<int, const Layout *> wanted;
    for (const int member : group) {
        for (const Operand &operand :
             graph.operators[static_cast<size_t>(member)].implementation.operands) {
            if (operand.constant_layout.order.empty()) {
                continue;
            }
            const Layout *&layout = wanted[operand.value];
            if (layout != nullptr && !(*layout == operand.constant_layout)) {
                return graph.values[static_cast<size_t>(operand.value)].name;
            }
            layout = &operand.constant_layout;
        }
    }
    return "";
}

}  // namespace

size_t group_inputs(const OperatorGraph &graph, const std::vector<int> &members) {
    const auto op = [&](int i) -> const PlannerOperator & {
        return graph.operators[static_cast<size_t>(i)];
    };
    std::set<int> read;
    for (const int member : members) {
        for (const Operand &operand : op(member).implementation.operands) {
            read.insert(operand.value);
        }
    }
    for (const int member : members) {
        read.erase(op(member).result);
    }
    return read.size();
}

std::vector<bool> duplicated_operators(const OperatorGraph &graph,
                                       const std::vector<std::vector<int>> &groups) {
    std::vector<bool> seen(graph.operators.size(), false), duplicated = seen;
    for (const std::vector<int> &group : groups) {
        for (const int member : group) {
            const auto op = static_cast<size_t>(member);
            duplicated[op] = duplicated[op] || seen[op];
            seen[op] = true;
        }
    }
    return duplicated;
}

// Every member but the root being read only inside the group makes the group connected (each member
// reaches the root) and convex (a path that leaves it can only start at the root, whose readers come
// after all members).
std::string illegal_because(const OperatorGraph &graph,
                            const std::vector<std::vector<int>> &consumers,
                            const std::vector<int> &group, const std::vector<bool> &duplicated) {
    for (int member : group) {
        const PlannerOperator &op = graph.operators[static_cast<size_t>(member)];
        const bool root = member == group.back();
        const auto &readers = consumers[static_cast<size_t>(op.result)];
        if (root) {
            continue;
        }
        const bool copy = static_cast<size_t>(member) < duplicated.size() &&
                          duplicated[static_cast<size_t>(member)];
        if (copy && std::any_of(readers.begin(), readers.end(),
                                [&](int reader) { return contains(group, reader); })) {
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
    if (group.size() > kMostMembers) {
        return "the group has more than " + std::to_string(kMostMembers) + " operators";
    }
    if (group.size() > 1 && group_inputs(graph, group) > kMostInputs) {
        return "the group reads more than " + std::to_string(kMostInputs) + " tensors";
    }
    if (const std::string constant = contested_constant(graph, group); !constant.empty()) {
        return "two of the group's loop nests want the constant '" + constant +
               "' in different layouts";
    }
    return "";
}

}  // namespace emulsion
