#include "autoscheduler/templates/support/register_tile.h"

#include <algorithm>

#include "autoscheduler/templates/support/loops.h"
#include "autoscheduler/templates/support/panel_rows.h"
#include "fusion/ceil_div.h"
#include "fusion/error.h"

namespace emulsion {

namespace {

using Halide::Func;
using Halide::RVar;
using Halide::Stage;
using Halide::TailStrategy;
using Halide::Var;
using Halide::VarOrRVar;

// Vectorises and unrolls one definition of the accumulators over the tile.
struct Accumulators {
    bool has_column = false, has_width = false, has_height = false;
    Var column, width, height;
    Var lanes{"lanes"};
    TailStrategy tail = TailStrategy::Auto;

    // Halide may not see how large a tile is, but it is no larger than this.
    void store_constantly(Func func, const RegisterTile &t) const {
        if (has_column) {
            func.bound_storage(column, static_cast<int>(t.block()));
        }
        if (has_width) {
            func.bound_storage(width, static_cast<int>(t.width));
        }
        if (has_height) {
            func.bound_storage(height, static_cast<int>(t.height));
        }
    }

    std::vector<VarOrRVar> tile_loops() const {
        std::vector<VarOrRVar> loops;
        if (has_column) {
            loops.insert(loops.end(), {lanes, column});
        }
        if (has_width) {
            loops.emplace_back(width);
        }
        if (has_height) {
            loops.emplace_back(height);
        }
        return loops;
    }

    void split(Stage stage, const RegisterTile &t) const {
        if (has_column) {
            stage.split(column, column, lanes, static_cast<int>(t.vector), tail);
        }
    }

    void unroll(Stage stage, const RegisterTile &t) const {
        if (has_column) {
            stage.vectorize(lanes);
        }
        if (!t.unroll_tile) {
            return;
        }
        if (has_column) {
            stage.unroll(column);
        }
        if (has_width) {
            stage.unroll(width);
        }
        if (has_height) {
            stage.unroll(height);
        }
    }
};

// Computes the pure definition of `func`, one value per element of the root, at a tile, which is where it is computed.
Accumulators schedule_tile(const NestFuncs &funcs, Func func, const RegisterTile &t) {
    Accumulators a;
    a.has_column = matching_var(funcs.root, func, t.column_axis, a.column);
    a.has_width = t.width_axis >= 0 && matching_var(funcs.root, func, t.width_axis, a.width);
    a.has_height = t.height_axis >= 0 && matching_var(funcs.root, func, t.height_axis, a.height);
    if (a.has_column) {
        store_innermost(func, a.column);
    }
    // Halide would round the columns of an internal Func up to whole vectors, and what it reads with them. A tile
    // has whole vectors, unless there are fewer columns than it has or its reader selects some of them.
    if (!t.padded) {
        a.tail = TailStrategy::GuardWithIf;
    }
    if (t.padded && a.has_column) {
        const int block = static_cast<int>(t.block());
        func.bound_extent(a.column, block).align_bounds(a.column, block);
    }
    if (!t.unroll_tile) {
        a.store_constantly(func, t);
    }
    a.split(func, t);
    a.unroll(func, t);
    return a;
}

void schedule_update(const Func &sum, const Accumulators &a, const RegisterTile &t) {
    const FuncFacts facts = func_facts(sum.function());
    Stage update = Func(sum).update(0);
    a.split(update, t);
    // Channels innermost, then the taps, then blocks of channels: what a tap reads of the data is still in the first-level
    // cache for the next tap.
    std::vector<RVar> channels, taps;
    for (const ReductionLoop &loop : facts.reduction) {
        (loop.window ? taps : channels).emplace_back(loop.name);
    }
    std::vector<RVar> reduction = channels;
    reduction.insert(reduction.end(), taps.begin(), taps.end());
    if (t.channel_block > 0 && !channels.empty()) {
        const RVar blocks("channel_blocks");
        update.split(channels.front(), blocks, channels.front(), static_cast<int>(t.channel_block));
        reduction.push_back(blocks);
    }
    std::vector<VarOrRVar> order = a.tile_loops();
    const auto sums = order.begin() + (t.unroll_tile  ? static_cast<long>(order.size())
                                       : a.has_column ? 1
                                                      : 0);
    order.insert(sums, reduction.begin(), reduction.end());
    update.reorder(order);
    a.unroll(update, t);
    if (t.unroll_window) {
        for (const RVar &tap : taps) {
            update.unroll(tap);
        }
    }
    if (t.unroll > 1 && !channels.empty()) {
        const RVar unrolled("unrolled");
        update.split(channels.front(), channels.front(), unrolled, static_cast<int>(t.unroll))
            .unroll(unrolled);
    }
}

// A Func of its own for the sum of a block of channels, and the loop over these blocks, at which it is computed.
struct SumOfBlock {
    Func sum;
    RVar blocks;
};

std::optional<SumOfBlock> sum_of_block(Func acc, const RegisterTile &t) {
    if (t.sum_block <= 0) {
        return std::nullopt;
    }
    for (const ReductionLoop &loop : func_facts(acc.function()).reduction) {
        if (!loop.window) {
            const RVar blocks("sum_blocks"), channel(loop.name);
            acc.update(0).split(channel, blocks, channel, static_cast<int>(t.sum_block));
            return SumOfBlock{acc.update(0).rfactor(blocks, Var("sum_block")), blocks};
        }
    }
    return std::nullopt;
}

void schedule_accumulators(const NestFuncs &funcs, Func acc, const RegisterTile &t, const Var &at) {
    if (t.buffered) {
        schedule_tile(funcs, acc.in().compute_at(funcs.root, at), t);
    }
    const std::optional<SumOfBlock> block = sum_of_block(acc, t);
    const Accumulators a = schedule_tile(funcs, acc.compute_at(funcs.root, at), t);
    RegisterTile of_acc = t;
    if (block) {
        Func sum = block->sum;
        schedule_update(sum, schedule_tile(funcs, sum.compute_at(acc, block->blocks), t), t);
        of_acc.unroll = 1;
    }
    schedule_update(acc, a, of_acc);
}

// A panel has as many rows as its reader asks for; a tile is no larger than the smallest panel, so that the last
// tile of any can be moved inwards: Halide doesn't always see how large one is that is cut off.
void fit_to_panels(const NestFuncs &funcs, RegisterTile &t) {
    const auto fit = [&](int axis, int64_t &rows) {
        if (axis >= 0 && rows > 1 && known_extent(funcs, axis) < 0) {
            rows = std::min(rows, fewest_rows(funcs, axis).value_or(rows));
        }
    };
    fit(t.width_axis, t.width);
    fit(t.height_axis, t.height);
}

// Of the tiles along an axis, in a nest that has been fit to its panels.
TailStrategy tile_tail(const NestFuncs &funcs, int axis, int64_t step) {
    return known_extent(funcs, axis) < 0 && fewest_rows(funcs, axis).value_or(0) >= step
               ? TailStrategy::ShiftInwards
               : pure_tail(funcs, axis, step);
}

int64_t trips(int64_t extent, int64_t step) { return extent < 0 ? -1 : ceil_div(extent, step); }

// The loops of the root, from the inside out: those of a tile, of the tiles of a task, and the tasks.
class RegisterTileLoops {
public:
    RegisterTileLoops(const NestFuncs &funcs, const RegisterTile &tile,
                      const std::string &nest_name)
        : funcs_(funcs), t_(tile), nest_name_(nest_name), root_(funcs.root),
          vars_(pure_vars(funcs.root)) {}

    // Returns the loop over tiles: what a tile needs is computed there.
    Var make() {
        split_columns();
        split_tile();
        split_rows();
        list_tasks();
        reorder();
        keep_tile_loop();
        compute_stages();
        if (!funcs_.is_panel && !t_.serial) {
            parallelize(root_, tasks_);
        }
        return tile_;
    }

private:
    const Var &var(int axis) const { return vars_[static_cast<size_t>(axis)]; }
    // What is computed for a panel of rows serves all of its columns.
    bool hosts_stages() const { return !funcs_.stages.empty(); }

    void split_columns() {
        root_.split(var(t_.column_axis), column_blocks_, vectors_, static_cast<int>(t_.block()),
                    t_.padded ? TailStrategy::GuardWithIf
                              : pure_tail(funcs_, t_.column_axis, t_.block()));
        root_.split(vectors_, vectors_, lanes_, static_cast<int>(t_.vector));
        order_ = {lanes_, vectors_};
        tile_ = column_blocks_;
    }

    // Register blocks in two axes.
    void split_tile() {
        if (t_.width_axis >= 0) {
            root_.split(var(t_.width_axis), xo_, xi_, static_cast<int>(t_.width),
                        tile_tail(funcs_, t_.width_axis, t_.width));
            tile_rows_.push_back(xi_);
            tile_ = xo_;
        }
        if (t_.height_axis >= 0 && t_.height == 1 && funcs_.is_panel) {
            // Of a loop that was not split Halide knows the last row, however many there are before it.
            yo_ = var(t_.height_axis);
        } else if (t_.height_axis >= 0) {
            root_.split(var(t_.height_axis), yo_, yi_, static_cast<int>(t_.height),
                        tile_tail(funcs_, t_.height_axis, t_.height));
            tile_rows_.push_back(yi_);
        }
        order_.insert(order_.end(), tile_rows_.begin(), tile_rows_.end());
    }

    // The rows of a task: of the height, else of the width.
    void split_rows() {
        if (t_.width_axis < 0) {
            return;
        }
        const bool has_height = t_.height_axis >= 0;
        const int64_t step = has_height ? t_.height : t_.width;
        const Var tiles = has_height ? yo_ : xo_;
        const int64_t tile_trips =
            trips(known_extent(funcs_, has_height ? t_.height_axis : t_.width_axis), step);
        const int64_t per_task = std::max<int64_t>(t_.task_rows / step, 1);
        const int64_t row_tasks = funcs_.is_panel ? 1 : trips(tile_trips, per_task);
        if (row_tasks != 1 || hosts_stages()) {
            root_.split(tiles, rows_, tiles, static_cast<int>(per_task),
                        row_tail(funcs_, tile_trips, per_task));
            row_tasks_ = CountedLoop{rows_, row_tasks};
        }
        if (t_.columns_inside) {
            order_.emplace_back(column_blocks_);
            tile_ = column_blocks_;
        }
        if (has_height) {
            order_.emplace_back(xo_);
        }
        order_.emplace_back(tiles);
    }

    void list_tasks() {
        for (int axis = 0; axis < static_cast<int>(vars_.size()); axis++) {
            if (axis != t_.column_axis && axis != t_.width_axis && axis != t_.height_axis) {
                tasks_.push_back({var(axis), known_extent(funcs_, axis)});
            }
        }
        if (hosts_stages() && !row_tasks_) {
            throw Error("loop nest '" + nest_name_ + "' has no rows to compute panels at");
        }
        if (t_.columns_inside) {
            if (row_tasks_) {
                tasks_.push_back(*row_tasks_);
            }
            return;
        }
        const CountedLoop columns{column_blocks_,
                                  trips(known_extent(funcs_, t_.column_axis), t_.block())};
        if (!hosts_stages() && t_.columns_outermost) {
            tasks_.push_back(columns);
        }
        if (row_tasks_) {
            tasks_.push_back(*row_tasks_);
        }
        if (hosts_stages()) {
            order_.emplace_back(column_blocks_);
        } else if (!t_.columns_outermost) {
            tasks_.push_back(columns);
        }
    }

    void reorder() {
        for (auto task = tasks_.rbegin(); task != tasks_.rend(); ++task) {
            order_.emplace_back(task->var);
        }
        root_.reorder(order_);
        root_.vectorize(lanes_);
        root_.unroll(vectors_);
        for (const Var &v : tile_rows_) {
            if (!t_.buffered) {
                root_.unroll(v);
            }
        }
    }

    // Accumulators hang on the innermost loop that is not unrolled. Without a width that is the
    // column loop itself, which may be fused away into the parallel one: keep a loop of its own.
    void keep_tile_loop() {
        if (t_.width_axis >= 0) {
            return;
        }
        const Var blocks("block");
        tile_ = Var("tile");
        root_.split(column_blocks_, blocks, tile_, 1);
        task_over(column_blocks_)->var = blocks;
    }

    // The loops that panels hang on and live in must be none that are fused away.
    void compute_stages() {
        if (!hosts_stages()) {
            return;
        }
        const Var panel("panel"), task("task"), blocks("tasks");
        // Halide's checks of what is read do not see either that rows which panels share end where the value
        // does: with checks, every panel computes its own.
        const int per_task = has_checks(funcs_) ? 1 : static_cast<int>(t_.task_panels);
        root_.split(rows_, task, panel, per_task, row_tail(funcs_, row_tasks_->trips, per_task));
        root_.split(task, blocks, task, 1);
        *task_over(rows_) = {blocks, trips(row_tasks_->trips, per_task)};
        for (Func stage : funcs_.stages) {
            stage.compute_at(root_, panel);
            if (per_task > 1) {
                stage.store_at(root_, task);
            }
        }
    }

    std::vector<CountedLoop>::iterator task_over(const Var &loop) {
        return std::find_if(tasks_.begin(), tasks_.end(),
                            [&](const CountedLoop &t) { return t.var.name() == loop.name(); });
    }

    const NestFuncs &funcs_;
    const RegisterTile &t_;
    const std::string &nest_name_;
    Func root_;
    const std::vector<Var> vars_;
    const Var lanes_{"cl"}, xi_{"xi"}, yi_{"yi"}, rows_{"rows"};
    Var vectors_{"ci"}, column_blocks_{"co"}, xo_{"xo"}, yo_{"yo"};
    std::vector<VarOrRVar> order_;          // innermost first
    std::vector<Var> tile_rows_;            // of a tile
    std::optional<CountedLoop> row_tasks_;  // where rows are cut into tasks
    std::vector<CountedLoop> tasks_;        // outermost first
    Var tile_;
};

}  // namespace

void apply_register_tile(const NestFuncs &funcs, const Nest &nest) {
    RegisterTile t(nest);
    fit_to_panels(funcs, t);
    const Var tile = RegisterTileLoops(funcs, t, nest.template_name).make();
    for (Func panel : funcs.panels) {
        panel.compute_at(funcs.root, tile);
    }
    for (const Func &acc : funcs.registers) {
        schedule_accumulators(funcs, acc, t, tile);
    }
}

}  // namespace emulsion
