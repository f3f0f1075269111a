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

// Of op's operand and result, one is the other with its axes in another order: the result, if it can be.
void absorb_transpose(const OperatorGraph &graph, const PlannerOperator &op,
                      const std::vector<Layout> &orders, std::vector<Slice> &slices,
                      std::vector<int> &depth) {
    const std::vector<int> axes = moved_axes(graph, op);
    if (axes.empty()) {
        return;
    }
    const int from = copied_value(op);
    const Value &operand = value_of(graph, from);
    if (operand.role == ValueRole::Constant ||
        renamed(orders[static_cast<size_t>(from)], axes).order !=
            orders[static_cast<size_t>(op.result)].order) {
        return;
    }
    const std::vector<int64_t> at_start(axes.size(), 0);
    Slice &of_operand = slices[static_cast<size_t>(from)];
    Slice &of_result = slices[static_cast<size_t>(op.result)];
    const int level = depth[static_cast<size_t>(from)];
    if (!value_of(graph, op.result).is_output && of_result.whole < 0 && level < kDeepestNest) {
        depth[static_cast<size_t>(op.result)] = level + 1;
        of_result = {from, at_start, axes};
    } else if (operand.role == ValueRole::Intermediate && !operand.is_output &&
               of_operand.whole < 0) {
        of_operand = {op.result, at_start, inverted(axes)};
    }
}

// The operand of a Reshape whose result the caller gets, where nobody else reads either of them.
void write_reshaped(const OperatorGraph &graph, const PlannerOperator &op,
                    const std::vector<Layout> &orders,
                    const std::vector<std::vector<int>> &consumers, std::vector<Slice> &slices) {
    if (!is_reshape(op)) {
        return;
    }
    const auto from = static_cast<size_t>(copied_value(op));
    const auto to = static_cast<size_t>(op.result);
    const auto lies_dense = [&](size_t v) {
        return is_dense_row_major(graph.values[v].extents, orders[v]);
    };
    const Value &operand = graph.values[from];
    if (operand.role == ValueRole::Intermediate && !operand.is_output &&
        consumers[from].size() == 1 && graph.values[to].is_output && consumers[to].empty() &&
        slices[from].whole < 0 && lies_dense(from) && lies_dense(to)) {
        slices[from] = {.whole = op.result, .offset = {}, .reshaped = true};
    }
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

int Slice::axis_of_whole(int axis) const {
    const auto found = std::find(axes.begin(), axes.end(), axis);
    return axes.empty() ? axis : static_cast<int>(found - axes.begin());
}

Layout layout_of_slice(const Slice &slice, const Layout &whole,
                       const std::vector<int64_t> &whole_extents,
                       const std::vector<int64_t> &extents) {
    return slice.reshaped       ? row_major(static_cast<int>(extents.size()))
           : slice.axes.empty() ? slice_of(whole, whole_extents, slice.offset, extents)
                                : renamed(whole, slice.axes);
}

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
                               bool absorb, const std::vector<bool> &movers) {
    std::vector<Slice> slices(graph.values.size());
    std::vector<int> height(graph.values.size(), 0);  // levels of slices below a value
    for (size_t i = 0; i < graph.operators.size(); i++) {
        const PlannerOperator &op = graph.operators[i];
        if (absorb && op.concatenation.axis >= 0 && !is_marked(movers, static_cast<int>(i))) {
            absorb_concatenation(graph, op, orders, slices, height);
        }
    }
    const std::vector<std::vector<int>> consumers = graph.consumers();
    std::vector<int> depth(graph.values.size(), 0);  // levels of slices above a value
    for (size_t i = 0; i < graph.operators.size(); i++) {
        const PlannerOperator &op = graph.operators[i];
        if (is_marked(movers, static_cast<int>(i))) {
            continue;
        }
        write_reshaped(graph, op, orders, consumers, slices);
        if (absorb) {
            absorb_transpose(graph, op, orders, slices, depth);
        }
        Slice &slice = slices[static_cast<size_t>(op.result)];
        if (copied_value(op) < 0 || slice.whole >= 0 || value_of(graph, op.result).is_output) {
            continue;
        }
        const Operand &operand = op.implementation.operands.front();
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
