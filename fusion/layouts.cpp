#include "fusion/layouts.h"

#include <algorithm>
#include <numeric>
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

// Halos of values that have memory of their own; those of slices are parts of them.
class Halos {
public:
    Halos(const OperatorGraph &graph, const std::vector<Slice> &slices,
          std::vector<Layout> &layouts)
        : graph_(graph), slices_(slices), layouts_(layouts) {}

    void add() {
        for (const PlannerOperator &op : graph_.operators) {
            for (const Operand &operand : op.implementation.operands) {
                if (!operand.halo.empty() &&
                    graph_.values[static_cast<size_t>(operand.value)].role != ValueRole::Constant) {
                    add(operand);
                }
            }
        }
    }

private:
    const Slice *slice(int v) const {
        const bool known = static_cast<size_t>(v) < slices_.size();
        return known && slices_[static_cast<size_t>(v)].whole >= 0
                   ? &slices_[static_cast<size_t>(v)]
                   : nullptr;
    }

    int owner(int v) const {
        while (slice(v) != nullptr) {
            v = slice(v)->whole;
        }
        return v;
    }

    // Per axis of `v`, that of its owner which it runs along; -1 where a slice ends inside of the whole: what
    // lies beyond is no padding.
    std::vector<int> axes_of_owner(int v) const {
        const auto extents = [&](int i) -> const std::vector<int64_t> & {
            return graph_.values[static_cast<size_t>(i)].extents;
        };
        std::vector<int> axes(extents(v).size());
        std::iota(axes.begin(), axes.end(), 0);
        for (; slice(v) != nullptr; v = slice(v)->whole) {
            const int whole = slice(v)->whole;
            for (int &axis : axes) {
                if (axis < 0) {
                    continue;
                }
                const int of_whole = slice(v)->axis_of_whole(axis);
                const bool all = extents(v)[static_cast<size_t>(axis)] ==
                                 extents(whole)[static_cast<size_t>(of_whole)];
                axis = all ? of_whole : -1;
            }
        }
        return axes;
    }

    void add(const Operand &operand) {
        const auto whole = static_cast<size_t>(owner(operand.value));
        const std::vector<int> axes = axes_of_owner(operand.value);
        Layout &layout = layouts_[whole];
        if (layout.has_halo() && layout.fill != operand.fill) {
            return;
        }
        std::vector<Margin> halo = layout.halo;
        halo.resize(operand.halo.size());
        for (size_t i = 0; i < operand.halo.size(); i++) {
            if (axes[i] >= 0) {
                Margin &m = halo[static_cast<size_t>(axes[i])];
                m.before = std::max(m.before, operand.halo[i].before);
                m.after = std::max(m.after, operand.halo[i].after);
            }
        }
        if (halo != std::vector<Margin>(halo.size())) {
            layout.halo = std::move(halo);
            layout.fill = operand.fill;
        }
    }

    const OperatorGraph &graph_;
    const std::vector<Slice> &slices_;
    std::vector<Layout> &layouts_;
};

// Caches find a line by the low bits of its address. Elements that are neighbours along any axis but
// the innermost one are a multiple of the innermost rows apart: where that is a multiple of a large
// power of two, a column of them meets in so few sets that they evict each other while they are in
// use. A line more in each row spreads them over all sets.
constexpr int64_t kConflictingBytes = 1024;  // a quarter of a way of a 32 KiB, 8-way cache
constexpr int64_t kLineBytes = 64;
constexpr int64_t kFewRows = 8;  // as many as the cache has ways

void spread_rows(const OperatorGraph &graph, const std::vector<Slice> &slices,
                 std::vector<Layout> &layouts) {
    for (size_t v = 0; v < layouts.size(); v++) {
        const Value &value = graph.values[v];
        Layout &layout = layouts[v];
        const bool slice = v < slices.size() && slices[v].whole >= 0;
        if (slice || value.role == ValueRole::Constant || layout.block_axis >= 0 ||
            layout.order == caller_layout(value).order) {
            continue;
        }
        const auto innermost = static_cast<size_t>(layout.order.back());
        const Margin halo = layout.margin(layout.order.back());
        const int64_t row = value.extents[innermost] + halo.before + halo.after;
        if (value.extents[innermost] > 0 && row * value.element_bytes % kConflictingBytes == 0 &&
            element_count(value.extents) / value.extents[innermost] >= kFewRows) {
            layout.around.resize(value.extents.size());
            layout.around[innermost].after = kLineBytes / value.element_bytes;
        }
    }
}

// Rows of whole vectors, in values that are more than one dense buffer.
void align_rows(const OperatorGraph &graph, const std::vector<Slice> &slices, int64_t aligned,
                std::vector<Layout> &layouts) {
    const auto round_up = [&](int64_t n) { return (n + aligned - 1) / aligned * aligned; };
    std::vector<bool> has_slices(layouts.size(), false);
    for (const Slice &slice : slices) {
        if (slice.whole >= 0) {
            has_slices[static_cast<size_t>(slice.whole)] = true;
        }
    }
    for (size_t v = 0; v < layouts.size(); v++) {
        const Value &value = graph.values[v];
        Layout &layout = layouts[v];
        const bool slice = v < slices.size() && slices[v].whole >= 0;
        const bool callers =
            value.role != ValueRole::Intermediate || value.is_output || layout.order.empty();
        if (slice || value.role == ValueRole::Constant || layout.order.empty() ||
            !(layout.has_halo() || (has_slices[v] && !callers))) {
            continue;
        }
        const auto innermost = static_cast<size_t>(layout.order.back());
        if (layout.has_halo()) {
            layout.halo[innermost].before = round_up(layout.halo[innermost].before);
        }
        const Margin halo = layout.margin(layout.order.back());
        const int64_t row = value.extents[innermost] + halo.before + halo.after;
        if (row % aligned != 0) {
            layout.around.resize(value.extents.size());
            layout.around[innermost].after = round_up(row) - row;
        }
    }
}

// Slices lie as the whole does, which may be a slice itself.
void derive_slices(const OperatorGraph &graph, const std::vector<Slice> &slices,
                   std::vector<Layout> &layouts) {
    std::vector<bool> done(layouts.size(), false);
    for (size_t v = 0; v < slices.size(); v++) {
        std::vector<size_t> chain;
        for (size_t w = v; !done[w] && slices[w].whole >= 0;
             w = static_cast<size_t>(slices[w].whole)) {
            done[w] = true;
            chain.push_back(w);
        }
        for (auto w = chain.rbegin(); w != chain.rend(); ++w) {
            const auto whole = static_cast<size_t>(slices[*w].whole);
            layouts[*w] = layout_of_slice(slices[*w], layouts[whole], graph.values[whole].extents,
                                          graph.values[*w].extents);
        }
    }
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
        if (is_for_caller(graph, wishes, op.result) ||
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
        if (axis < 0 && !layouts[result].order.empty()) {
            for (const Operand &operand : implementation.operands) {
                const auto v = static_cast<size_t>(operand.value);
                const bool same_axes =
                    operand.type == MappingType::OneToOne || op.concatenation.axis >= 0;
                if (same_axes && graph.values[v].role != ValueRole::Constant &&
                    layouts[v].order.size() == layouts[result].order.size()) {
                    axis = layouts[v].order.back();
                    break;
                }
            }
        }
        move_innermost(layouts[result], axis);
    }
    write_transposed(graph, wishes, ways, layouts);
    return layouts;
}

std::vector<Layout> preferred_layouts(const OperatorGraph &graph, std::vector<Layout> orders,
                                      const std::vector<Slice> &slices, int64_t aligned) {
    std::vector<Layout> layouts = std::move(orders);
    Halos(graph, slices, layouts).add();
    if (aligned > 1) {
        align_rows(graph, slices, aligned, layouts);
    } else {
        spread_rows(graph, slices, layouts);
    }
    derive_slices(graph, slices, layouts);
    return layouts;
}

std::vector<int> misaligned_slices(const OperatorGraph &graph, const std::vector<Slice> &slices,
                                   const std::vector<Layout> &layouts, int64_t aligned,
                                   const std::vector<bool> &movers) {
    const auto begins_well = [&](const Layout &layout, const std::vector<int64_t> &extents) {
        return slice_offset(extents, layout) % aligned == 0 &&
               interior_offset(extents, layout) % aligned == 0;
    };
    std::vector<int> found;
    for (size_t i = 0; i < graph.operators.size(); i++) {
        const PlannerOperator &op = graph.operators[i];
        const auto result = static_cast<size_t>(op.result);
        bool well = true;
        if (is_marked(movers, static_cast<int>(i))) {
            continue;
        }
        if (op.concatenation.axis >= 0) {
            // Those that aren't slices are copied to their places.
            const std::vector<int64_t> offsets = concatenation_offsets(graph, op.concatenation);
            std::vector<int64_t> offset(graph.values[result].extents.size(), 0);
            for (size_t part = 0; part < offsets.size(); part++) {
                const auto v = static_cast<size_t>(op.concatenation.values[part]);
                offset[static_cast<size_t>(op.concatenation.axis)] = offsets[part];
                well = well && begins_well(slice_of(layouts[result], graph.values[result].extents,
                                                    offset, graph.values[v].extents),
                                           graph.values[v].extents);
            }
        } else if (op.implementation.copies && slices[result].whole >= 0) {
            well = begins_well(layouts[result], graph.values[result].extents);
        }
        if (!well) {
            found.push_back(static_cast<int>(i));
        }
    }
    return found;
}

}  // namespace emulsion
