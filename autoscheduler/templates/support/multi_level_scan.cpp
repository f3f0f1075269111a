// A scan as multi-level tiles: local tiles have all of the scanned axis, and vectors lie along another one.
#include <algorithm>
#include <optional>

#include "autoscheduler/templates/support/definition_loops.h"
#include "autoscheduler/templates/support/loops.h"
#include "autoscheduler/templates/support/multi_level.h"
#include "autoscheduler/templates/support/parameters.h"
#include "autoscheduler/templates/support/rows.h"
#include "fusion/ceil_div.h"

namespace emulsion {

namespace {

using Halide::Func;
using Halide::RVar;
using Halide::TailStrategy;
using Halide::Var;
using Halide::VarOrRVar;

// Rows that are turned side by side: each is a vector of its own until they are stored.
constexpr int kMostTurned = 16;

// For each axis of the root the axis of `scan` that is the same; nothing where they have not the same.
std::optional<std::vector<int>> axes_of_scan(const Func &root, const Func &scan) {
    const std::vector<Var> own = pure_vars(scan);
    std::vector<int> axes;
    for (int axis = 0; axis < root.dimensions(); axis++) {
        Var same;
        if (scan.dimensions() != root.dimensions() || !matching_var(root, scan, axis, same)) {
            return std::nullopt;
        }
        const auto at = std::find_if(own.begin(), own.end(),
                                     [&](const Var &v) { return v.name() == same.name(); });
        axes.push_back(static_cast<int>(at - own.begin()));
    }
    std::vector<int> sorted = axes;
    std::sort(sorted.begin(), sorted.end());
    const bool all = std::adjacent_find(sorted.begin(), sorted.end()) == sorted.end();
    return all ? std::optional(axes) : std::nullopt;
}

// Axes are the root's.
class ScanLoops {
public:
    ScanLoops(const NestFuncs &funcs, const Func &scan, const MultiLevelTile &t,
              const std::vector<int> &own_axes, int scanned)
        : funcs_(funcs), t_(t), root_(funcs.root), scan_(scan), own_(own_axes), scanned_(scanned),
          order_(memory_order(funcs)), vars_(pure_vars(funcs.root)) {
        vector_axis_ = t.vector_axis;
        for (const int axis : order_) {  // the innermost that is left
            if (t.vector_axis < 0 || t.vector_axis == scanned_) {
                vector_axis_ = axis == scanned_ ? vector_axis_ : axis;
            }
        }
    }

    void make() {
        cut_root();
        store_tile();
        compute_tile();
        scan_tile();
    }

private:
    int column_axis() const { return order_.back(); }
    bool turns() const { return vector_axis_ != column_axis(); }
    int own(int axis) const { return own_[static_cast<size_t>(axis)]; }

    // Elements of a tile along an axis; -1: not known.
    int64_t size(int axis) const {
        const int64_t all = known_extent(funcs_, axis);
        const int64_t tile = axis == scanned_ ? 0 : t_.tile[static_cast<size_t>(axis)];
        return tile == 0 || (all >= 0 && all <= tile) ? all : tile;
    }
    // Lanes along an axis, of which a tile has enough.
    int lanes(int axis, int most) const {
        const int64_t elements = size(axis);
        return elements < 0 ? most
                            : static_cast<int>(std::min<int64_t>(
                                  most, floor_power_of_two(std::max<int64_t>(elements, 1))));
    }
    int turned() const { return lanes(vector_axis_, std::min(t_.vector, kMostTurned)); }

    void cut_root() {
        std::vector<CountedLoop> tasks;
        for (const int axis : order_) {
            Var &v = vars_[static_cast<size_t>(axis)];
            const int64_t tile = size(axis), all = known_extent(funcs_, axis);
            if (tile < 0 || tile == all) {
                continue;
            }
            const Var outer(v.name() + "_tiles"), inner(v.name() + "_tile");
            root_.split(v, outer, inner, static_cast<int>(tile),
                        all < 0 ? TailStrategy::GuardWithIf : pure_tail(funcs_, axis, tile));
            v = inner;
            tasks.push_back({outer, all < 0 ? -1 : ceil_div(all, tile)});
        }
        order_root(tasks);
        if (!tasks.empty()) {
            task_ = parallel_tiles(tasks);
        }
    }

    // Vectors along what lies side by side in memory; where those of the scan lie along another axis, a few of its rows
    // at a time, so that what is read of the tile is turned in registers.
    void order_root(const std::vector<CountedLoop> &tasks) {
        std::vector<VarOrRVar> loops;
        Var &column = vars_[static_cast<size_t>(column_axis())];
        const Var lane(column.name() + "_lanes"), turned_row("turned");
        const int64_t columns = size(column_axis());
        root_.split(column, column, lane, lanes(column_axis(), t_.vector),
                    columns < 0 ? TailStrategy::GuardWithIf : TailStrategy::ShiftInwards);
        loops.emplace_back(lane);
        if (turns()) {
            Var &row = vars_[static_cast<size_t>(vector_axis_)];
            root_.split(row, row, turned_row, turned(),
                        size(vector_axis_) < 0 ? TailStrategy::GuardWithIf
                                               : TailStrategy::ShiftInwards);
            root_.unroll(turned_row);
            loops.emplace_back(turned_row);
        }
        for (auto axis = order_.rbegin(); axis != order_.rend(); ++axis) {
            loops.emplace_back(vars_[static_cast<size_t>(*axis)]);
        }
        for (auto task = tasks.rbegin(); task != tasks.rend(); ++task) {
            loops.emplace_back(task->var);
        }
        root_.reorder(loops).vectorize(lane);
    }

    // One loop over all tiles, of which a task has as many as the others; returns the loop that tiles are computed in.
    Var parallel_tiles(const std::vector<CountedLoop> &loops) {
        Var tiles = loops.front().var;
        int64_t total = loops.front().trips;
        for (size_t i = 1; i < loops.size(); i++) {
            const Var fused("tiles" + std::to_string(i));
            root_.fuse(loops[i].var, tiles, fused);
            tiles = fused;
            total = total < 0 || loops[i].trips < 0 ? -1 : total * loops[i].trips;
        }
        if (t_.tasks == 0) {
            return tiles;
        }
        const Var tasks("tasks"), tile("tile");
        const int64_t per_task = total < 0 ? 1 : std::max<int64_t>(total / t_.tasks, 1);
        root_.split(tiles, tasks, tile, static_cast<int>(per_task), TailStrategy::GuardWithIf);
        root_.parallel(tasks);
        return tile;
    }

    void store_tile() {
        scan_.compute_at(root_, task_);
        std::vector<int> axes = order_;
        std::reverse(axes.begin(), axes.end());
        const auto lying = std::find(axes.begin(), axes.end(), vector_axis_);
        std::rotate(axes.begin(), lying, lying + 1);
        std::vector<Var> storage;
        for (const int axis : axes) {
            storage.push_back(scan_.args()[static_cast<size_t>(own(axis))]);
        }
        if (storage.size() > 1) {
            scan_.reorder_storage(storage);
        }
    }

    // The elements, before any is added to another.
    void compute_tile() {
        DefinitionLoops loops(scan_, 0);
        std::vector<VarOrRVar> order;
        const Var lane = loops.split_inner(own(column_axis()), lanes(column_axis(), t_.vector),
                                           TailStrategy::GuardWithIf);
        order.emplace_back(lane);
        if (turns()) {
            const Var row =
                loops.split_inner(own(vector_axis_), turned(), TailStrategy::GuardWithIf);
            order.emplace_back(row);
            loops.stage().unroll(row);
        }
        add_axes(loops, order);
        loops.stage().reorder(order).vectorize(lane);
    }

    void scan_tile() {
        DefinitionLoops loops(scan_, 1);
        std::vector<VarOrRVar> order;
        const int vector = lanes(vector_axis_, t_.vector);
        const int vectors = lanes(vector_axis_, vector * t_.vectors) / vector;
        const Var part = loops.split_inner(own(vector_axis_), int64_t{vector} * vectors,
                                           TailStrategy::GuardWithIf);
        const Var side("side"), lane("scan_lanes");
        loops.stage().split(part, side, lane, vector);
        order.emplace_back(lane);
        RVar step = loops.reduced().front();
        if (t_.unroll > 1) {
            const RVar steps("steps"), next("next");
            loops.stage().split(step, steps, next, t_.unroll).unroll(next);
            order.emplace_back(next);
            step = steps;
        }
        order.emplace_back(side);
        order.emplace_back(step);
        add_axes(loops, order);
        loops.stage().reorder(order).vectorize(lane).unroll(side);
    }

    // What is left of the axes that the definition walks freely.
    void add_axes(const DefinitionLoops &loops, std::vector<VarOrRVar> &order) const {
        for (auto axis = order_.rbegin(); axis != order_.rend(); ++axis) {
            if (loops.is_free(own(*axis))) {
                order.emplace_back(loops.loop(own(*axis)));
            }
        }
    }

    const NestFuncs &funcs_;
    const MultiLevelTile &t_;
    Func root_, scan_;
    const std::vector<int> own_;
    const int scanned_;
    const std::vector<int> order_;  // outermost first in memory
    std::vector<Var> vars_;         // the innermost loops of the root along its axes
    int vector_axis_ = -1;
    Var task_ = Var::outermost();
};

}  // namespace

bool make_scan_loops(const NestFuncs &funcs, const Func &scan, const UpdateRoles &roles,
                     const MultiLevelTile &t) {
    const auto own = axes_of_scan(funcs.root, scan);
    if (!own || funcs.root.has_update_definition()) {
        return false;
    }
    const auto scanned = std::find(own->begin(), own->end(), roles.scanned) - own->begin();
    ScanLoops(funcs, scan, t, *own, static_cast<int>(scanned)).make();
    return true;
}

}  // namespace emulsion
