#include "fusion/slices.h"

#include <algorithm>

namespace emulsion {

namespace {

// Slices of slices of slices ...: more levels than networks have, few enough to walk along.
constexpr int kDeepestNest = 64;

const Value &value_of(const OperatorGraph &graph, int v) {
    return graph.values[static_cast<size_t>(v)];
}

bool same_order(const std::vector<Layout> &orders, int a, int b) {
    return orders[static_cast<size_t>(a)].order == orders[static_cast<size_t>(b)].order;
}

void absorb_concatenation(const OperatorGraph &graph, const PlannerOperator &op,
                          const std::vector<Layout> &orders, std::vector<Slice> &slices,
                          std::vector<int> &height) {
    const std::vector<int64_t> offsets = concatenation_offsets(graph, op.concatenation);
    const size_t rank = value_of(graph, op.result).extents.size();
    for (size_t i = 0; i < offsets.size(); i++) {
        const int part = op.concatenation.values[i];
        Slice &slice = slices[static_cast<size_t>(part)];
        const Value &value = value_of(graph, part);
        if (value.role != ValueRole::Intermediate || value.is_output || slice.whole >= 0 ||
            !same_order(orders, part, op.result) ||
            height[static_cast<size_t>(part)] == kDeepestNest) {
            continue;
        }
        int &mine = height[static_cast<size_t>(op.result)];
        mine = std::max(mine, height[static_cast<size_t>(part)] + 1);
        slice.whole = op.result;
        slice.offset.assign(rank, 0);
        slice.offset[static_cast<size_t>(op.concatenation.axis)] = offsets[i];
    }
}

}  // namespace

std::vector<int64_t> concatenation_offsets(const OperatorGraph &graph,
                                           const Concatenation &concatenation) {
    std::vector<int64_t> offsets;
    int64_t next = 0;
    for (const int part : concatenation.values) {
        offsets.push_back(next);
        next += value_of(graph, part).extents[static_cast<size_t>(concatenation.axis)];
    }
    return offsets;
}

std::vector<Slice> find_slices(const OperatorGraph &graph, const std::vector<Layout> &orders,
                               bool absorb) {
    std::vector<Slice> slices(graph.values.size());
    std::vector<int> height(graph.values.size(), 0);  // levels of slices below a value
    for (const PlannerOperator &op : graph.operators) {
        if (absorb && op.concatenation.axis >= 0) {
            absorb_concatenation(graph, op, orders, slices, height);
        }
    }
    std::vector<int> depth(graph.values.size(), 0);  // levels of slices above a value
    for (const PlannerOperator &op : graph.operators) {
        const ImplementationChoice &implementation = op.implementations.front();
        Slice &slice = slices[static_cast<size_t>(op.result)];
        if (!implementation.copies || implementation.operands.size() != 1 || slice.whole >= 0 ||
            value_of(graph, op.result).is_output) {
            continue;
        }
        const Operand &operand = implementation.operands.front();
        if (!operand.offset.empty() && value_of(graph, operand.value).role != ValueRole::Constant &&
            same_order(orders, operand.value, op.result) &&
            depth[static_cast<size_t>(operand.value)] < kDeepestNest) {
            depth[static_cast<size_t>(op.result)] = depth[static_cast<size_t>(operand.value)] + 1;
            slice = {operand.value, operand.offset};
        }
    }
    return slices;
}

}  // namespace emulsion
