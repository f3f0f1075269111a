#include "fusion/laid_out_graph.h"

#include <cassert>
#include <map>

#include "fusion/gpu.h"
#include "fusion/preferred_layouts.h"
#include "fusion/preferred_orders.h"
#include "fusion/reshape.h"

namespace emulsion {

LayoutOptions layout_options(const Machine &machine, bool owns_layouts, bool absorbs_copies,
                             MoveWays ways) {
    return {owns_layouts, absorbs_copies, machine.is_gpu() ? kGpuVector : 1, std::move(ways)};
}

LayoutOptions layout_options(const OperatorGraph &graph, const Machine &machine, const Plan &plan) {
    std::map<std::string, MoveWay> way_of;
    for (const PlannedMove &move : plan.moves) {
        way_of[move.op] = move.way;
    }
    MoveWays ways;
    for (size_t i = 0; plan.absorbs_copies && i < graph.operators.size(); i++) {
        const auto known = way_of.find(graph.operators[i].name);
        ways.push_back(known == way_of.end() ? MoveWay::Free : known->second);
    }
    return layout_options(machine, true, plan.absorbs_copies, std::move(ways));
}

LaidOutGraph::LaidOutGraph(OperatorGraph graph, LayoutOptions options)
    : graph_(std::move(graph)), options_(std::move(options)), slices_(graph_.values.size()),
      movers_(graph_.operators.size(), false), views_(graph_.operators.size(), ViewKind::None),
      parts_(graph_.operators.size()), of_input_(graph_.values.size(), -1),
      of_output_(graph_.values.size(), -1) {
    lay_out();
    for (size_t v = 0; v < layouts_.size(); v++) {
        graph_.values[v].order = layouts_[v].order;
    }
    if (!options_.owns_layouts) {
        return;
    }
    for (size_t i = 0; i < views_.size(); i++) {
        views_[i] = find_view(static_cast<int>(i));
        if (views_[i] == ViewKind::Concatenate) {
            add_parts(static_cast<int>(i));
        }
    }
    convert_for_caller();
}

void LaidOutGraph::lay_out() {
    layouts_ = preferred_orders(graph_, options_.ways);
    if (!options_.owns_layouts) {
        for (size_t v = 0; v < layouts_.size(); v++) {
            if (graph_.values[v].role != ValueRole::Intermediate || graph_.values[v].is_output) {
                layouts_[v] = caller_layout(graph_.values[v]);
            }
        }
        return;
    }
    const std::vector<Layout> orders = std::move(layouts_);
    for (bool again = true; again;) {
        slices_ = find_slices(graph_, orders, options_.absorbs_copies, movers_);
        layouts_ = preferred_layouts(graph_, orders, slices_, options_.aligned);
        const std::vector<int> odd =
            misaligned_slices(graph_, slices_, layouts_, options_.aligned, movers_);
        for (const int op : odd) {
            movers_[static_cast<size_t>(op)] = true;
        }
        again = !odd.empty();
    }
}

ViewKind LaidOutGraph::find_view(int index) const {
    const PlannerOperator &op = graph_.operators[static_cast<size_t>(index)];
    if (op.concatenation.axis >= 0) {
        return options_.absorbs_copies && !is_marked(movers_, index) ? ViewKind::Concatenate
                                                                     : ViewKind::None;
    }
    const int copied = copied_value(op);
    if (copied < 0) {
        return ViewKind::None;
    }
    if (whole(copied) == op.result) {
        return ViewKind::Write;
    }
    if (whole(op.result) >= 0) {
        // Else the result's memory is that of another reader of it.
        return whole(op.result) == copied ? ViewKind::Slice : ViewKind::None;
    }
    // Axes that are merged or split are neighbours in memory on both sides. Constants lie as each group wants them.
    const bool reshaped = op.type == MappingType::Reorganize && !value(op.result).is_output &&
                          value(copied).role != ValueRole::Constant &&
                          lies_reshaped(value(copied).extents, layout(copied),
                                        value(op.result).extents, layout(op.result));
    return reshaped ? ViewKind::Reshape : ViewKind::None;
}

// Operands of a concatenation lie in the result (find_slices), but for those that can't: they are copied there.
void LaidOutGraph::add_parts(int index) {
    const PlannerOperator &op = graph_.operators[static_cast<size_t>(index)];
    const std::vector<int64_t> offsets = concatenation_offsets(graph_, op.concatenation);
    std::vector<int64_t> offset(value(op.result).extents.size(), 0);
    for (size_t i = 0; i < offsets.size(); i++) {
        const int part = op.concatenation.values[i];
        const Slice &slice = slices_[static_cast<size_t>(part)];
        offset[static_cast<size_t>(op.concatenation.axis)] = offsets[i];
        int conversion = -1;
        if (slice.whole != op.result || slice.offset != offset) {
            const Layout from =
                value(part).role == ValueRole::Constant ? caller_layout(value(part)) : layout(part);
            conversion = add_conversion(
                "operand " + std::to_string(i) + " of " + op.name, part, from,
                slice_of(layout(op.result), value(op.result).extents, offset, value(part).extents));
        }
        parts_[static_cast<size_t>(index)].push_back({part, conversion});
    }
}

// Inputs lie as the caller has them; those that are wanted otherwise are copied once. An output that others read as
// well may lie as they like it; the caller gets a copy then.
void LaidOutGraph::convert_for_caller() {
    for (size_t i = 0; i < layouts_.size(); i++) {
        const int v = static_cast<int>(i);
        const bool is_input = value(v).role == ValueRole::Input;
        if (is_input && layout(v) != caller_layout(value(v))) {
            of_input_[i] =
                add_conversion("input " + value(v).name, v, caller_layout(value(v)), layout(v));
        } else if (!is_input && value(v).is_output &&
                   !is_dense_row_major(value(v).extents, layout(v))) {
            of_output_[i] =
                add_conversion("output " + value(v).name, v, layout(v), caller_layout(value(v)));
        }
    }
}

int LaidOutGraph::add_conversion(const std::string &name, int v, const Layout &from,
                                 const Layout &to) {
    assert(value(v).copy && "whoever lets the planner lay values out says how they are copied");
    Value read = value(v), written = value(v);
    read.role = ValueRole::Input;
    read.order = from.order;
    written.role = ValueRole::Intermediate;
    written.order = to.order;
    const int first = static_cast<int>(copies_.values.size());
    PlannerOperator copy{.name = name, .result = first + 1, .implementation = *value(v).copy};
    copy.implementation.operands.at(0).value = first;
    copies_.values.push_back(std::move(read));
    copies_.values.push_back(std::move(written));
    copies_.operators.push_back(std::move(copy));
    conversions_.push_back({v, from, to});
    return static_cast<int>(conversions_.size()) - 1;
}

std::vector<bool> LaidOutGraph::free_operators() const {
    std::vector<bool> free(views_.size());
    for (size_t i = 0; i < free.size(); i++) {
        free[i] = views_[i] != ViewKind::None;
    }
    return free;
}

}  // namespace emulsion
