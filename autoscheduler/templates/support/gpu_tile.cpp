#include "autoscheduler/templates/support/gpu_tile.h"

#include <algorithm>

#include "autoscheduler/templates/support/gpu_panel.h"
#include "autoscheduler/templates/support/gpu_sums.h"
#include "autoscheduler/templates/support/loops.h"
#include "fusion/ceil_div.h"
#include "fusion/error.h"
#include "fusion/gpu.h"

namespace emulsion {

namespace {

using Halide::Func;
using Halide::TailStrategy;
using Halide::Var;
using Halide::VarOrRVar;

// The loops of the root, innermost first.
struct Loops {
    std::vector<VarOrRVar> serial;
    std::vector<Var> threads, blocks;
    std::vector<Var> unrolled;
    Var lanes;
    bool has_lanes = false;
};

TailStrategy block_tail(const NestFuncs &funcs, int axis, int64_t block) {
    const int64_t extent = known_extent(funcs, axis);
    return extent >= block ? TailStrategy::ShiftInwards : TailStrategy::GuardWithIf;
}

class RootLoops {
public:
    RootLoops(const NestFuncs &funcs, const GpuTile &tile)
        : funcs_(funcs), tile_(tile), root_(funcs.root), vars_(pure_vars(funcs.root)) {}

    Loops make() {
        for (const int axis : tile_.axes()) {
            if (axis == tile_.column_axis && tile_.whole_rows) {
                cut_whole_row(axis);
            } else {
                cut(axis);
            }
        }
        std::vector<VarOrRVar> order = loops_.serial;
        order.insert(order.end(), loops_.threads.begin(), loops_.threads.end());
        order.insert(order.end(), loops_.blocks.begin(), loops_.blocks.end());
        root_.reorder(order);
        for (const Var &v : loops_.unrolled) {
            root_.unroll(v);
        }
        if (loops_.has_lanes) {
            root_.vectorize(loops_.lanes);
        }
        for (const Var &v : loops_.threads) {
            root_.gpu_threads(v);
        }
        make_blocks();
        return loops_;
    }

private:
    // Blocks outside, threads in them, a tile for each.
    void cut(int axis) {
        const auto a = static_cast<size_t>(axis);
        const Var var = vars_[a], block(numbered("block", a)), thread(numbered("thread", a)),
                  inner(numbered("inner", a));
        const int64_t size = tile_.block(axis);
        const bool column = axis == tile_.column_axis;
        loops_.blocks.push_back(size == 1 && !column ? var : block);
        if (size == 1 && !column) {
            return;
        }
        root_.split(var, block, inner, static_cast<int>(size), block_tail(funcs_, axis, size));
        if (tile_.threads[a] > 1 || column) {
            root_.split(inner, thread, inner, static_cast<int>(tile_.tile[a]));
            loops_.threads.push_back(thread);
        }
        if (tile_.tile[a] == 1 && (tile_.threads[a] > 1 || column)) {
            loops_.serial.emplace_back(inner);  // runs once
            return;
        }
        const int vector = column ? vector_of(tile_.tile[a]) : 1;
        if (vector > 1) {
            loops_.lanes = Var("lanes");
            loops_.has_lanes = true;
            root_.split(inner, inner, loops_.lanes, vector);
            loops_.serial.emplace_back(loops_.lanes);
        }
        loops_.serial.emplace_back(inner);
        loops_.unrolled.push_back(inner);
    }

    // One block has all columns; its threads take them in turn.
    void cut_whole_row(int axis) {
        const auto a = static_cast<size_t>(axis);
        const Var var = vars_[a], block(numbered("block", a)), thread(numbered("thread", a)),
                  step(numbered("step", a));
        const int64_t extent = known_extent(funcs_, axis);
        if (extent < 0) {
            throw Error("a row of unknown length can't be one workgroup's");
        }
        const auto threads = static_cast<int>(tile_.threads[a]);
        root_.split(var, block, step, static_cast<int>(ceil_div(extent, threads)) * threads,
                    TailStrategy::GuardWithIf);
        root_.split(step, step, thread, threads);
        loops_.blocks.push_back(block);
        loops_.threads.push_back(thread);
        loops_.serial.emplace_back(step);
    }

    // A grid has three dimensions.
    void make_blocks() {
        std::vector<Var> &blocks = loops_.blocks;
        while (blocks.size() > 3) {
            const Var fused("blocks" + std::to_string(blocks.size()));
            const Var outer = blocks.back();
            blocks.pop_back();
            root_.fuse(blocks.back(), outer, fused);
            blocks.back() = fused;
        }
        for (const Var &v : blocks) {
            root_.gpu_blocks(v);
        }
    }

    const NestFuncs &funcs_;
    const GpuTile &tile_;
    Func root_;
    std::vector<Var> vars_;
    Loops loops_;
};

}  // namespace

std::string numbered(const char *name, size_t axis) { return name + std::to_string(axis); }

int vector_of(int64_t elements) {
    return static_cast<int>(elements % kGpuVector == 0 ? kGpuVector : elements % 2 == 0 ? 2 : 1);
}

int64_t GpuTile::all_threads() const {
    int64_t all = split;
    for (const int64_t n : threads) {
        all *= n;
    }
    return all;
}

std::vector<int> GpuTile::axes() const { return thread_axes(column_axis, threads.size()); }

std::vector<int64_t> GpuTile::thread_counts() const {
    std::vector<int64_t> counts;
    for (const int axis : axes()) {
        const int64_t count = threads[static_cast<size_t>(axis)];
        if (axis == column_axis || count > 1) {
            counts.push_back(count);
        }
    }
    if (split > 1) {
        counts.push_back(split);
    }
    return counts;
}

void apply_gpu_tile(const NestFuncs &funcs, const Nest &nest) {
    const int rank = funcs.root.dimensions();
    const GpuTile tile(nest, rank);
    if (funcs.is_panel) {
        if (funcs.host == nullptr) {
            throw Error("loop nest '" + nest.template_name + "' computes a panel of nothing");
        }
        make_gpu_panel(funcs, tile, GpuTile(*funcs.host, funcs.host_root.dimensions()));
        return;
    }
    Loops loops = RootLoops(funcs, tile).make();
    const Var block = loops.blocks.front();
    for (Func stage : funcs.stages) {
        stage.compute_at(funcs.root, block);
        align_in_lds(stage);
    }
    const int64_t columns = tile.threads[static_cast<size_t>(tile.column_axis)];
    for (const Func &panel : funcs.panels) {
        make_block_sum(funcs.root, panel, block, static_cast<int>(columns));
    }
    for (const Func &acc : funcs.registers) {
        if (tile.split > 1) {
            make_split_sum(funcs, acc, tile, block);
        }
        make_register_sum(funcs, acc, tile, loops.threads.front());
    }
}

}  // namespace emulsion
