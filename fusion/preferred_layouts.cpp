#include "fusion/preferred_layouts.h"

#include <algorithm>
#include <numeric>

#include "fusion/preferred_orders.h"

namespace emulsion {

namespace {

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

void take_callers_order(const OperatorGraph &graph, std::vector<Layout> &layouts) {
    for (size_t v = 0; v < layouts.size(); v++) {
        const Value &value = graph.values[v];
        Layout callers = caller_layout(value);
        if (value.role == ValueRole::Input && !layouts[v].has_halo() &&
            buffer_dimensions(value.extents, layouts[v]) ==
                buffer_dimensions(value.extents, callers)) {
            layouts[v] = std::move(callers);
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

}  // namespace

std::vector<Layout> preferred_layouts(const OperatorGraph &graph, std::vector<Layout> orders,
                                      const std::vector<Slice> &slices, int64_t aligned) {
    std::vector<Layout> layouts = std::move(orders);
    Halos(graph, slices, layouts).add();
    if (aligned > 1) {
        align_rows(graph, slices, aligned, layouts);
    } else {
        spread_rows(graph, slices, layouts);
    }
    take_callers_order(graph, layouts);
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
