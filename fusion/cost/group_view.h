// A group and what its placement makes of it. Members are named by their position in the group.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "fusion/crossings.h"
#include "fusion/layout.h"
#include "fusion/operator_graph.h"
#include "fusion/placement.h"
#include "fusion/vector_rates.h"

namespace emulsion {

// Keeps references to the graph and the group.
class GroupView {
public:
    GroupView(const OperatorGraph &graph, const PlacedGroup &placed);

    size_t size() const { return placed_.members.size(); }
    size_t root() const { return size() - 1; }
    int member(size_t i) const { return placed_.members[i]; }
    const GroupPlacement &placement() const { return placed_.placement; }
    const PlannerOperator &op(size_t i) const {
        return graph_.operators[static_cast<size_t>(member(i))];
    }
    const ImplementationChoice &choice(size_t i) const { return op(i).implementation; }
    const OperatorGraph &graph() const { return graph_; }
    const Value &value(int v) const { return graph_.values[static_cast<size_t>(v)]; }
    const Value &result(size_t i) const { return value(op(i).result); }
    double elements(size_t i) const {
        return static_cast<double>(element_count(result(i).extents));
    }
    // The member that makes value `v`, or -1.
    int position(int v) const;

    // Where results lie.
    bool kept(size_t i) const { return i == root() || panel(i) || whole(i); }
    bool panel(size_t i) const { return listed(placed_.placement.panels, i); }
    bool whole(size_t i) const { return listed(placed_.placement.wholes, i); }
    bool has_panels() const { return !placed_.placement.panels.empty(); }

    // The loop nests (fusion/stages.h).
    int stage(size_t i) const { return stages_[i]; }
    int root_stage() const { return stages_.back(); }
    bool is_anchor(size_t i) const { return anchors_[static_cast<size_t>(stage(i))] == member(i); }
    const ImplementationChoice &anchor(int stage) const;
    const ImplementationChoice &root_anchor() const { return anchor(root_stage()); }
    // Cycles of one core for the arithmetic of a member's whole result in its stage's nest, which takes `nest`.
    double arithmetic(size_t i, const NestEstimate &nest, const ArithmeticRates &rates) const;

    std::vector<Crossing> crossings() const {
        return crossings_of(graph_, placed_, stages_, anchors_);
    }

    // Extents of every member's result that `rows` rows of the root need; of all of it where no panels are
    // kept.
    std::vector<std::vector<int64_t>> tiles(int64_t rows) const;
    // Axes along which a tile is not all of the member's result.
    std::vector<int> cut_axes(size_t i, const std::vector<int64_t> &tile) const;
    // Of all values of which panels are kept, where these are `tiles` of their members.
    double panel_bytes(const std::vector<std::vector<int64_t>> &tiles) const;

private:
    bool listed(const std::vector<int> &list, size_t i) const {
        return std::binary_search(list.begin(), list.end(), member(i));
    }

    const OperatorGraph &graph_;
    const PlacedGroup &placed_;
    std::vector<int> stages_, anchors_;
};

}  // namespace emulsion
