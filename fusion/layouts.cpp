#include "fusion/layouts.h"

#include <algorithm>

namespace emulsion {

namespace {

// Calls `visit(operator index, operand)` for every operand, operators in order.
template<typename Visit>
void for_each_operand(const OperatorGraph &graph, Visit visit) {
    for (size_t op = 0; op < graph.operators.size(); op++) {
        for (const Operand &operand : graph.operators[op].implementations.front().operands) {
            visit(static_cast<int>(op), operand);
        }
    }
}

struct Wishes {
    int innermost_axis = -1;  // of the first consumer that cares
    bool all_want_row_major = true;
    bool read = false;
};

std::vector<Wishes> consumers_wishes(const OperatorGraph &graph) {
    std::vector<Wishes> wishes(graph.values.size());
    for_each_operand(graph, [&](int, const Operand &operand) {
        Wishes &w = wishes[static_cast<size_t>(operand.value)];
        w.read = true;
        w.all_want_row_major = w.all_want_row_major && operand.wants_row_major;
        if (w.innermost_axis < 0) {
            w.innermost_axis = operand.innermost_axis;
        }
    });
    return wishes;
}

void move_innermost(Layout &layout, int axis) {
    if (axis < 0) {
        return;
    }
    std::erase(layout.order, axis);
    layout.order.push_back(axis);
}

void add_halos(const OperatorGraph &graph, std::vector<Layout> &layouts) {
    for_each_operand(graph, [&](int, const Operand &operand) {
        if (operand.halo.empty() ||
            graph.values[static_cast<size_t>(operand.value)].role == ValueRole::Constant) {
            return;
        }
        Layout &layout = layouts[static_cast<size_t>(operand.value)];
        if (!layout.has_halo()) {
            layout.fill = operand.fill;
            layout.halo.assign(operand.halo.size(), {});
        } else if (layout.fill != operand.fill) {
            return;
        }
        for (size_t axis = 0; axis < operand.halo.size(); axis++) {
            Margin &m = layout.halo[axis];
            m.before = std::max(m.before, operand.halo[axis].before);
            m.after = std::max(m.after, operand.halo[axis].after);
        }
    });
}

}  // namespace

Layout caller_layout(const Value &value) {
    Layout layout = row_major(static_cast<int>(value.extents.size()));
    if (!value.natural_order.empty()) {
        layout.order = value.natural_order;
    }
    return layout;
}

std::vector<Layout> preferred_layouts(const OperatorGraph &graph) {
    std::vector<Layout> layouts;
    for (const Value &value : graph.values) {
        layouts.push_back(caller_layout(value));
    }
    const std::vector<Wishes> wishes = consumers_wishes(graph);
    for (size_t v = 0; v < graph.values.size(); v++) {
        if (graph.values[v].role == ValueRole::Input && wishes[v].read) {
            move_innermost(layouts[v], wishes[v].innermost_axis);
        }
    }
    for (const PlannerOperator &op : graph.operators) {
        const auto result = static_cast<size_t>(op.result);
        if (wishes[result].read && wishes[result].all_want_row_major) {
            continue;
        }
        const ImplementationChoice &implementation = op.implementations.front();
        int axis = implementation.innermost_axis;
        if (axis < 0) {
            axis = wishes[result].innermost_axis;
        }
        if (axis < 0 && !layouts[result].order.empty()) {
            for (const Operand &operand : implementation.operands) {
                const auto v = static_cast<size_t>(operand.value);
                if (operand.type == MappingType::OneToOne &&
                    graph.values[v].role != ValueRole::Constant &&
                    layouts[v].order.size() == layouts[result].order.size()) {
                    axis = layouts[v].order.back();
                    break;
                }
            }
        }
        move_innermost(layouts[result], axis);
    }
    add_halos(graph, layouts);
    return layouts;
}

bool is_dense_row_major(const std::vector<int64_t> &extents, const Layout &layout) {
    if (layout.has_halo() || layout.block_axis >= 0) {
        return false;
    }
    const auto actual = buffer_dimensions(extents, layout);
    const auto wanted = buffer_dimensions(extents, row_major(static_cast<int>(extents.size())));
    for (size_t axis = 0; axis < extents.size(); axis++) {
        if (extents[axis] != 1 && actual[axis].stride != wanted[axis].stride) {
            return false;
        }
    }
    return true;
}

}  // namespace emulsion
