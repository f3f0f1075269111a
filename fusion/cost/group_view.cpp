#include "fusion/cost/group_view.h"

#include "fusion/cost/tiles.h"
#include "fusion/stages.h"

namespace emulsion {

GroupView::GroupView(const OperatorGraph &graph, const PlacedGroup &placed)
    : graph_(graph), placed_(placed), stages_(stages_of(graph, placed)),
      anchors_(anchors_of(graph, placed, stages_)) {}

int GroupView::position(int v) const {
    for (size_t i = 0; i < size(); i++) {
        if (op(i).result == v) {
            return static_cast<int>(i);
        }
    }
    return -1;
}

const ImplementationChoice &GroupView::anchor(int stage) const {
    const int member = anchors_[static_cast<size_t>(stage)];
    return graph_.operators[static_cast<size_t>(member)].implementation;
}

double GroupView::arithmetic(size_t i, const NestEstimate &nest,
                             const ArithmeticRates &rates) const {
    const ImplementationChoice &own = choice(i);
    return rates.cycles(is_anchor(i) ? nest.cycles : own.nest.single_rows.estimate.cycles,
                        own.vector_operations * nest.operation_slowdown);
}

std::vector<std::vector<int64_t>> GroupView::tiles(int64_t rows) const {
    const Value &all = result(root());
    return tiles_of(graph_, placed_,
                    has_panels() ? panel_of(all, root_anchor().nest.panels, rows) : all.extents);
}

std::vector<int> GroupView::cut_axes(size_t i, const std::vector<int64_t> &tile) const {
    std::vector<int> axes;
    for (size_t axis = 0; axis < tile.size(); axis++) {
        if (tile[axis] != result(i).extents[axis]) {
            axes.push_back(static_cast<int>(axis));
        }
    }
    return axes;
}

double GroupView::panel_bytes(const std::vector<std::vector<int64_t>> &tiles) const {
    double bytes = 0.0;
    for (size_t i = 0; i < size(); i++) {
        if (panel(i)) {
            bytes += static_cast<double>(element_count(tiles[i])) * result(i).element_bytes;
        }
    }
    return bytes;
}

}  // namespace emulsion
