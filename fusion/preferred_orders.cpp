#include "fusion/preferred_orders.h"

#include <algorithm>
#include <optional>

#include "fusion/reshape.h"

namespace emulsion {

namespace {

const std::vector<int64_t> &extents_of(const OperatorGraph &graph, int v) {
    return graph.values[static_cast<size_t>(v)].extents;
}

bool goes(const MoveWays &ways, size_t op, MoveWay way) {
    return op < ways.size() && (ways[op] == way || ways[op] == MoveWay::Free);
}

struct Wishes {
    int innermost_axis = -1;  // of the first consumer that cares
    bool all_want_row_major = true;
    bool read = false;
};

// The axis of its operand that readers of what `op` makes would like innermost, where it only moves axes, or merges
// and splits others; else -1.
int wish_of_readers(const OperatorGraph &graph, const std::vector<Wishes> &wishes,
                    const PlannerOperator &op) {
    const int wish = wishes[static_cast<size_t>(op.result)].innermost_axis;
    if (wish < 0) {
        return -1;
    }
    if (const std::vector<int> axes = moved_axes(graph, op); !axes.empty()) {
        return inverted(axes)[static_cast<size_t>(wish)];
    }
    return keeps_axes(graph, op)
               ? kept_axis(extents_of(graph, copied_value(op)), extents_of(graph, op.result), wish)
               : -1;
}

// The last operators first, so that Transposes and Reshapes pass on what their readers like.
std::vector<Wishes> consumers_wishes(const OperatorGraph &graph, const MoveWays &ways) {
    std::vector<Wishes> wishes(graph.values.size());
    for (size_t i = graph.operators.size(); i-- > 0;) {
        const PlannerOperator &op = graph.operators[i];
        const int passed_on =
            goes(ways, i, MoveWay::Read) ? wish_of_readers(graph, wishes, op) : -1;
        for (const Operand &operand : op.implementation.operands) {
            Wishes &w = wishes[static_cast<size_t>(operand.value)];
            w.read = true;
            w.all_want_row_major = w.all_want_row_major && operand.wants_row_major && passed_on < 0;
            const int wish = passed_on < 0 ? operand.innermost_axis : passed_on;
            w.innermost_axis = wish < 0 ? w.innermost_axis : wish;
        }
    }
    return wishes;
}

// An output that nobody reads again lies as the caller has it.
bool is_for_caller(const OperatorGraph &graph, const std::vector<Wishes> &wishes, int v) {
    return graph.values[static_cast<size_t>(v)].is_output && !wishes[static_cast<size_t>(v)].read;
}

void move_innermost(Layout &layout, int axis) {
    if (axis < 0) {
        return;
    }
    std::erase(layout.order, axis);
    layout.order.push_back(axis);
}

// The axes that operator `op` moves, if it is a Transpose that is Free or goes the way `way`; else empty.
std::vector<int> axes_going(const OperatorGraph &graph, const MoveWays &ways, size_t op,
                            MoveWay way) {
    return goes(ways, op, way) ? moved_axes(graph, graph.operators[op]) : std::vector<int>();
}

// The order of a result that lies as its operand does, where operator `op` only moves or merges axes and goes
// that way.
std::optional<std::vector<int>> order_of_operand(const OperatorGraph &graph, const MoveWays &ways,
                                                 const std::vector<Layout> &layouts, size_t op) {
    const PlannerOperator &mover = graph.operators[op];
    if (!goes(ways, op, MoveWay::Read)) {
        return std::nullopt;
    }
    const int from = copied_value(mover);
    if (const std::vector<int> axes = moved_axes(graph, mover); !axes.empty()) {
        return renamed(layouts[static_cast<size_t>(from)], axes).order;
    }
    if (keeps_axes(graph, mover)) {
        return reshaped_order(extents_of(graph, from), layouts[static_cast<size_t>(from)].order,
                              extents_of(graph, mover.result));
    }
    return std::nullopt;
}

// Lets the operand of a Transpose lie so that it can be written into the result's place, where nobody else
// reads it and its way is that, or it still runs along the axis that it likes best, or the result is the
// caller's.
void write_transposed(const OperatorGraph &graph, const std::vector<Wishes> &wishes,
                      const MoveWays &ways, std::vector<Layout> &layouts) {
    const std::vector<int> producers = graph.producers();
    const std::vector<std::vector<int>> consumers = graph.consumers();
    for (size_t i = graph.operators.size(); i-- > 0;) {
        const PlannerOperator &op = graph.operators[i];
        const std::vector<int> axes = axes_going(graph, ways, i, MoveWay::Written);
        if (axes.empty()) {
            continue;
        }
        const bool writes = ways[i] == MoveWay::Written;
        const auto from = static_cast<size_t>(copied_value(op));
        const auto to = static_cast<size_t>(op.result);
        if (graph.values[from].role != ValueRole::Intermediate || graph.values[from].is_output ||
            consumers[from].size() != 1) {
            continue;
        }
        const PlannerOperator &producer = graph.operators[static_cast<size_t>(producers[from])];
        const bool moves_nothing =
            producer.concatenation.axis >= 0 || producer.implementation.copies;
        const std::vector<int> order = renamed(layouts[to], inverted(axes)).order;
        if (!moves_nothing && (writes || order.back() == layouts[from].order.back() ||
                               is_for_caller(graph, wishes, op.result))) {
            layouts[from].order = order;
        }
    }
}

// The axis of what `op` makes that runs along what `operand` has innermost in memory, or -1.
int axis_of_operand(const OperatorGraph &graph, const std::vector<Layout> &layouts,
                    const PlannerOperator &op, const Operand &operand) {
    const auto v = static_cast<size_t>(operand.value);
    const Layout &layout = layouts[v], &result = layouts[static_cast<size_t>(op.result)];
    if (graph.values[v].role == ValueRole::Constant || layout.order.empty() ||
        result.order.empty()) {
        return -1;
    }
    if (operand.type == MappingType::OneToOne || op.concatenation.axis >= 0) {
        return layout.order.size() == result.order.size() ? layout.order.back() : -1;
    }
    if (operand.type != MappingType::ManyToMany || !operand.footprint.known()) {
        return -1;
    }
    const AxisReach &reach = operand.footprint.axes.at(static_cast<size_t>(layout.order.back()));
    return !reach.whole && reach.stride == 1 && reach.window == 1 ? reach.axis : -1;
}

}  // namespace

Layout caller_layout(const Value &value) {
    Layout layout = row_major(static_cast<int>(value.extents.size()));
    if (!value.natural_order.empty()) {
        layout.order = value.natural_order;
    }
    return layout;
}

bool only_moves(const OperatorGraph &graph, const PlannerOperator &op) {
    return !moved_axes(graph, op).empty() || keeps_axes(graph, op);
}

bool makes_callers_result(const OperatorGraph &graph, const PlannerOperator &op,
                          const std::vector<std::vector<int>> &consumers) {
    const auto result = static_cast<size_t>(op.result);
    return graph.values[result].is_output && consumers[result].empty();
}

std::vector<Layout> preferred_orders(const OperatorGraph &graph, const MoveWays &ways) {
    std::vector<Layout> layouts;
    for (const Value &value : graph.values) {
        layouts.push_back(caller_layout(value));
    }
    const std::vector<Wishes> wishes = consumers_wishes(graph, ways);
    for (size_t v = 0; v < graph.values.size(); v++) {
        if (graph.values[v].role == ValueRole::Input && wishes[v].read) {
            move_innermost(layouts[v], wishes[v].innermost_axis);
        }
    }
    for (size_t i = 0; i < graph.operators.size(); i++) {
        const PlannerOperator &op = graph.operators[i];
        const auto result = static_cast<size_t>(op.result);
        const bool converted = i < ways.size() && ways[i] == MoveWay::Converted;
        if ((is_for_caller(graph, wishes, op.result) && !converted) ||
            (wishes[result].read && wishes[result].all_want_row_major)) {
            continue;
        }
        if (auto order = order_of_operand(graph, ways, layouts, i)) {
            // As the operand lies, so that the operator moves nothing.
            const int wish = wishes[result].innermost_axis;
            if (ways[i] == MoveWay::Read || wish < 0 || wish == order->back()) {
                layouts[result].order = std::move(*order);
                continue;
            }
        }
        const ImplementationChoice &implementation = op.implementation;
        int axis = implementation.innermost_axis;
        if (axis < 0) {
            axis = wishes[result].innermost_axis;
        }
        for (size_t k = 0; axis < 0 && k < implementation.operands.size(); k++) {
            axis = axis_of_operand(graph, layouts, op, implementation.operands[k]);
        }
        move_innermost(layouts[result], axis);
    }
    write_transposed(graph, wishes, ways, layouts);
    return layouts;
}

}  // namespace emulsion
