#include "autoscheduler/templates/support/gpu_panel.h"

#include <algorithm>

#include "autoscheduler/block_extents.h"
#include "autoscheduler/templates/support/gpu_sums.h"
#include "autoscheduler/templates/support/loops.h"
#include "autoscheduler/templates/support/parameters.h"
#include "fusion/cost/panel_tile.h"

namespace emulsion {

namespace {

using Halide::Func;
using Halide::TailStrategy;
using Halide::Var;
using Halide::VarOrRVar;

// Into how many parts the sums of a panel are cut: of one of which a workgroup has all, so that its size is known.
int parts_of(const NestFuncs &funcs, int64_t threads) {
    if (funcs.registers.size() != 1 || !may_be_shared(funcs.registers.front())) {
        return 1;
    }
    int64_t elements = 1;
    for (const int64_t extent : funcs.extents) {
        elements = extent < 0 ? threads : elements * extent;
    }
    int64_t longest = 0;
    for (const ReductionLoop &loop : func_facts(funcs.registers.front().function()).reduction) {
        longest = std::max(longest, loop.window ? 0 : loop.extent);
    }
    return static_cast<int>(panel_parts(elements, threads, longest));
}

// Rows that a thread computes at a time, along the panel's axis `axis`.
int64_t rows_at_once(const NestFuncs &funcs, const GpuTile &own, const GpuTile &root, int axis,
                     int64_t threads) {
    Cut cut;
    for (size_t i = 0; i < root.threads.size(); i++) {
        const bool all = root.whole_rows && static_cast<int>(i) == root.column_axis;
        cut.block.push_back(all ? funcs.host_extents.at(i) : root.block(static_cast<int>(i)));
    }
    const auto extents = block_extents(funcs.host_root, funcs.host_extents, cut, funcs.root, axis);
    return extents ? panel_rows(std::min(extents->least, own.panel_rows), extents->most, threads)
                   : 1;
}

// The panel's loops: its columns and rows in turn, as many at a time as the workgroup has threads for.
class GpuPanelLoops {
public:
    GpuPanelLoops(const NestFuncs &funcs, const GpuTile &own, const GpuTile &root)
        : funcs_(funcs), own_(own), root_(root), panel_(funcs.root), vars_(pure_vars(funcs.root)),
          threads_(root.thread_counts()), parts_(parts_of(funcs, root.all_threads())),
          tile_(static_cast<int>(vars_.size())) {
        tile_.column_axis = own.column_axis;
        tile_.unroll = own.unroll;
        tile_.unroll_window = own.unroll_window;
    }

    void make() {
        for (const int axis : own_.axes()) {
            if (axis == own_.column_axis) {
                deal_out_columns();
            } else if (parallel_.size() < threads_.size()) {
                deal_out_rows(axis);
            } else {
                order_.emplace_back(vars_[static_cast<size_t>(axis)]);
            }
        }
        order_.insert(order_.end(), parallel_.begin(), parallel_.end());
        panel_.reorder(order_);
        for (int axis = 0; axis < static_cast<int>(vars_.size()); axis++) {
            if (tile_at(axis) > 1) {
                axis == own_.column_axis ? panel_.vectorize(lanes_) : panel_.unroll(rows_);
            }
        }
        for (const Var &v : parallel_) {
            panel_.gpu_threads(v);
        }
        for (const Func &acc : funcs_.registers) {
            if (parts_ > 1) {
                make_panel_parts(funcs_, acc, own_.column_axis, parts_,
                                 static_cast<int>(threads_.front()));
            }
            make_register_sum(funcs_, acc, tile_, at_);
        }
    }

private:
    int64_t &tile_at(int axis) { return tile_.tile[static_cast<size_t>(axis)]; }

    void deal_out_columns() {
        const int axis = own_.column_axis;
        const Var &var = vars_[static_cast<size_t>(axis)];
        const int64_t extent = known_extent(funcs_, axis);
        tile_at(axis) = extent > 0 ? panel_vector(extent, threads_.front()) : 1;
        if (tile_at(axis) > 1) {
            panel_.split(var, var, lanes_, static_cast<int>(tile_at(axis)),
                         TailStrategy::GuardWithIf);
            order_.emplace_back(lanes_);
        }
        deal_out(axis, at_);
    }

    void deal_out_rows(int axis) {
        const Var &var = vars_[static_cast<size_t>(axis)];
        const bool has_sums = !funcs_.registers.empty() && parts_ == 1;
        if (has_sums && parallel_.size() == 1) {
            tile_at(axis) = rows_at_once(funcs_, own_, root_, axis, threads_[1]);
        }
        if (tile_at(axis) > 1) {
            panel_.split(var, var, rows_, static_cast<int>(tile_at(axis)),
                         TailStrategy::ShiftInwards);
            order_.insert(order_.end() - 1, rows_);
        }
        deal_out(axis, Var(numbered("step", static_cast<size_t>(axis))));
    }

    // To the next axis of threads; a thread takes one element each `step`.
    void deal_out(int axis, const Var &step) {
        const Var thread(numbered("thread", static_cast<size_t>(axis)));
        panel_.split(vars_[static_cast<size_t>(axis)], step, thread,
                     static_cast<int>(threads_[parallel_.size()]), TailStrategy::GuardWithIf);
        parallel_.push_back(thread);
        order_.emplace_back(step);
    }

    const NestFuncs &funcs_;
    const GpuTile &own_, &root_;
    Func panel_;
    const std::vector<Var> vars_;
    const std::vector<int64_t> threads_;
    const int parts_;
    GpuTile tile_;                  // of one thread
    std::vector<VarOrRVar> order_;  // innermost first
    std::vector<Var> parallel_;
    const Var at_{"step"}, lanes_{"lanes"}, rows_{"rows"};
};

}  // namespace

void make_gpu_panel(const NestFuncs &funcs, const GpuTile &own, const GpuTile &root) {
    GpuPanelLoops(funcs, own, root).make();
}

}  // namespace emulsion
