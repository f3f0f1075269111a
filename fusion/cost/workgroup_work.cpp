#include "fusion/cost/workgroup_work.h"

#include <algorithm>
#include <cmath>

#include "fusion/cost/panel_tile.h"

namespace emulsion {

namespace {

double product_of(const std::vector<int64_t> &extents) {
    return static_cast<double>(element_count(extents));
}

double ceil_div(double a, double b) { return std::ceil(a / b); }

// What a thread computes at a time, by axis of the result, and all threads of the workgroup over those that have
// something to do.
struct ThreadTile {
    std::vector<int64_t> elements;
    double waste = 1.0;
};

class Workload {
public:
    Workload(const GroupView &group, const NestEstimate &root,
             const std::vector<std::vector<int64_t>> &tiles, const GpuMachine &machine)
        : group_(group), root_(root), way_(*root.workgroup), tiles_(tiles), machine_(machine),
          computed_(group.size(), 0.0), uses_(group.size(), 1.0),
          stages_(static_cast<size_t>(group.root_stage()) + 1), all_threads_(way_.all_threads()),
          lanes_share_rows_(way_.threads.front() % machine.chip.wavefront == 0) {}

    WorkgroupWork sum() {
        for (size_t i = group_.size(); i-- > 0;) {
            add(i);
        }
        WorkgroupWork work;
        work.lds_read_bytes = lds_read_bytes_;
        for (const Stage &stage : stages_) {
            work.cycles += std::max(stage.cycles, stage.waste * stage.read_bytes /
                                                      machine_.chip.l1_bytes_per_cycle);
        }
        return work;
    }

private:
    struct Stage {
        double cycles = 0.0;
        double read_bytes = 0.0;  // by lanes that have something to do, from outside of the kernel
        double waste = 1.0;
    };

    void add(size_t i) {
        const ImplementationChoice &choice = group_.choice(i);
        if (group_.kept(i) || (choice.reduces && group_.is_anchor(i))) {
            computed_[i] = product_of(tiles_[i]);
        }
        const bool of_root = group_.stage(i) == group_.root_stage();
        Stage &stage = stages_[static_cast<size_t>(group_.stage(i))];
        const ThreadTile tile = of_root ? tile_of_root(i) : tile_of_panel(i);
        const double elements = group_.elements(i);
        const double share = elements > 0.0 ? computed_[i] / elements : 0.0;
        stage.cycles += share * arithmetic(i, of_root) * tile.waste;
        stage.waste = std::max(stage.waste, tile.waste);
        for (const Operand &operand : choice.operands) {
            add_reads(i, operand, tile, share, of_root, stage);
        }
    }

    // Of all of it, by threads that all have something to do.
    double arithmetic(size_t i, bool of_root) const {
        NestEstimate nest = of_root ? root_ : group_.choice(i).nest.single_rows.estimate;
        if (of_root && group_.is_anchor(i) && is_fed(i)) {
            nest.cycles = *root_.fed_cycles;
        }
        return group_.arithmetic(i, nest, machine_.arithmetic());
    }

    void add_reads(size_t i, const Operand &operand, const ThreadTile &tile, double share,
                   bool of_root, Stage &stage) {
        const double uses = uses_[i] * uses_of_tile(i, operand, tile);
        const double bytes =
            share * operand.reads / uses * group_.value(operand.value).element_bytes;
        const int position = group_.position(operand.value);
        if (position < 0) {
            // Those of the root are in its nest's cycles.
            stage.read_bytes += of_root || is_uniform(i, operand) ? 0.0 : bytes;
            return;
        }
        const auto from = static_cast<size_t>(position);
        computed_[from] += share * operand.reads;
        if (group_.panel(from)) {
            lds_read_bytes_ += bytes;
        } else {
            uses_[from] = std::max(uses_[from], uses);
        }
    }

    // Whether what all columns of the root's sums share comes from a panel.
    bool is_fed(size_t i) const {
        const auto &operands = group_.choice(i).operands;
        return root_.fed_cycles &&
               std::any_of(operands.begin(), operands.end(), [&](const Operand &operand) {
                   return !depends(operand, column_of(i)) && reads_panel(operand);
               });
    }

    bool reads_panel(const Operand &operand) const {
        const int position = group_.position(operand.value);
        if (position < 0) {
            return false;
        }
        const auto from = static_cast<size_t>(position);
        const auto &operands = group_.choice(from).operands;
        return group_.panel(from) ||
               std::any_of(operands.begin(), operands.end(),
                           [&](const Operand &before) { return reads_panel(before); });
    }

    ThreadTile tile_of_root(size_t i) const {
        ThreadTile tile{std::vector<int64_t>(tiles_[i].size(), 1)};
        for (size_t axis = 0; axis < tile.elements.size(); axis++) {
            tile.elements[axis] = axis < way_.tile.size() ? way_.tile[axis] : 1;
        }
        return tile;
    }

    ThreadTile tile_of_panel(size_t i) const {
        ThreadTile tile{std::vector<int64_t>(tiles_[i].size(), 1)};
        const double elements = product_of(tiles_[i]);
        const bool sums = group_.choice(i).reduces;
        const bool is_cut = tiles_[i] != group_.result(i).extents;
        const int64_t parts =
            is_cut ? 1
                   : panel_parts(element_count(tiles_[i]), static_cast<int64_t>(all_threads_),
                                 group_.choice(i).shared_steps);
        if (parts > 1) {
            tile.waste = all_threads_ / (static_cast<double>(parts) * elements);
            return tile;
        }
        const int column = column_of(i);
        double rounds = 1.0;
        size_t dealt_out = 0;
        const auto deal_out = [&](size_t axis) {
            double steps = ceil_div(static_cast<double>(tiles_[i][axis]),
                                    static_cast<double>(tile.elements[axis]));
            if (dealt_out < way_.threads.size()) {
                steps = ceil_div(steps, static_cast<double>(way_.threads[dealt_out++]));
            }
            rounds *= steps * static_cast<double>(tile.elements[axis]);
        };
        for (const int each : thread_axes(column, tiles_[i].size())) {
            const auto axis = static_cast<size_t>(each);
            const int64_t extent = tiles_[i][axis];
            if (each == column) {
                const bool all = extent == group_.result(i).extents[axis];
                tile.elements[axis] = all ? panel_vector(extent, way_.threads.front()) : 1;
            } else if (sums && dealt_out == 1 && way_.threads.size() > 1) {
                tile.elements[axis] = panel_rows(extent, extent, way_.threads[1]);
            }
            deal_out(axis);
        }
        tile.waste = std::max(1.0, rounds * all_threads_ / std::max(elements, 1.0));
        return tile;
    }

    // For how many elements of a thread's tile one element of the operand is read: those along the axes on which
    // it doesn't depend.
    double uses_of_tile(size_t i, const Operand &operand, const ThreadTile &tile) const {
        if (!group_.choice(i).reduces || !operand.footprint.known()) {
            return 1.0;
        }
        double uses = 1.0;
        for (size_t axis = 0; axis < tile.elements.size(); axis++) {
            if (!depends(operand, static_cast<int>(axis))) {
                uses *= static_cast<double>(tile.elements[axis]);
            }
        }
        return uses;
    }

    // Whether all lanes of a wave read the same element, which takes one scalar load.
    bool is_uniform(size_t i, const Operand &operand) const {
        return lanes_share_rows_ && operand.footprint.known() && !depends(operand, column_of(i));
    }

    static bool depends(const Operand &operand, int axis) {
        const auto &axes = operand.footprint.axes;
        return std::any_of(axes.begin(), axes.end(), [&](const AxisReach &reach) {
            return !reach.whole && reach.axis == axis;
        });
    }

    int column_of(size_t i) const { return group_.anchor(group_.stage(i)).nest.panels.column_axis; }

    const GroupView &group_;
    const NestEstimate &root_;
    const Workgroup &way_;
    const std::vector<std::vector<int64_t>> &tiles_;
    const GpuMachine &machine_;
    std::vector<double> computed_;  // by position: elements
    std::vector<double> uses_;      // by position: of what is read for it once
    std::vector<Stage> stages_;
    double all_threads_;
    bool lanes_share_rows_;
    double lds_read_bytes_ = 0.0;
};

}  // namespace

WorkgroupWork workgroup_work(const GroupView &group, const NestEstimate &root,
                             const std::vector<std::vector<int64_t>> &tiles,
                             const GpuMachine &machine) {
    return Workload(group, root, tiles, machine).sum();
}

}  // namespace emulsion
