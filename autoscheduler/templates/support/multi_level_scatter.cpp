// A scatter as multi-level tiles: of the loops along which it walks, since steps there don't meet.
#include <algorithm>

#include "autoscheduler/templates/support/definition_loops.h"
#include "autoscheduler/templates/support/loops.h"
#include "autoscheduler/templates/support/multi_level.h"

namespace emulsion {

namespace {

using Halide::Func;
using Halide::RVar;
using Halide::Stage;
using Halide::TailStrategy;
using Halide::Var;
using Halide::VarOrRVar;
using Halide::Internal::Dim;

// What is scattered into: copied by rows, of which tasks have a few.
void make_copy_loops(const Func &scatter, const MultiLevelTile &t, const std::vector<int> &order) {
    DefinitionLoops loops(scatter, 0);
    const Var lane = loops.split_inner(order.front(), t.vector, TailStrategy::GuardWithIf);
    std::vector<VarOrRVar> inside{lane};
    for (const int axis : order) {
        inside.emplace_back(loops.loop(axis));
    }
    loops.stage().reorder(inside).vectorize(lane);
    if (t.tasks > 0) {
        loops.stage().parallel(loops.loop(order.back()));
    }
}

// Whether Halide knows too that the steps of a loop don't meet.
bool is_free_loop(const Func &scatter, const std::string &loop) {
    const auto &dims = scatter.function().update(0).schedule().dims();
    return std::any_of(dims.begin(), dims.end(), [&](const Dim &dim) {
        return dim.var == loop && dim.is_pure() && dim.is_rvar();
    });
}

class ScatterLoops {
public:
    ScatterLoops(const Func &scatter, const UpdateRoles &roles, const MultiLevelTile &t)
        : scatter_(scatter), stage_(Func(scatter).update(0)), roles_(roles), t_(t) {}

    void make() {
        std::vector<VarOrRVar> around;
        bool unrolls = t_.unroll > 1;
        for (const RVar &loop : reduction_vars(scatter_)) {  // innermost first
            const auto at = std::find(roles_.loops.begin(), roles_.loops.end(), loop.name());
            if (at != roles_.loops.end() && is_free_loop(scatter_, loop.name())) {
                around.emplace_back(cut(loop, static_cast<int>(at - roles_.loops.begin())));
            } else if (unrolls) {
                const RVar steps("steps"), next("next");
                stage_.split(loop, steps, next, t_.unroll, TailStrategy::GuardWithIf).unroll(next);
                around.emplace_back(next);
                around.emplace_back(steps);
                unrolls = false;
            } else {
                around.emplace_back(loop);
            }
        }
        order_.insert(order_.end(), around.begin(), around.end());
        order_.insert(order_.end(), tiles_.begin(), tiles_.end());
        stage_.reorder(order_);
        run_in_parallel();
    }

private:
    // Tiles of the axis that a loop walks, and vectors in them; returns the loop between these.
    RVar cut(const RVar &walked, int axis) {
        RVar loop = walked;
        const std::string name = "axis" + std::to_string(axis);
        if (const int tile = t_.tile[static_cast<size_t>(axis)]; tile > 0) {
            const RVar tiles(name + "_tiles"), rest(name + "_tile");
            stage_.split(loop, tiles, rest, tile, TailStrategy::GuardWithIf);
            tiles_.push_back(tiles);
            loop = rest;
        }
        if (axis == t_.vector_axis && t_.block() > 1) {
            const RVar parts(name + "_parts"), part(name + "_part"), side(name + "_side"),
                lane(name + "_lanes");
            stage_.split(loop, parts, part, t_.block(), TailStrategy::GuardWithIf);
            stage_.split(part, side, lane, t_.vector);
            if (t_.vector > 1) {
                stage_.vectorize(lane);
            }
            stage_.unroll(side);
            order_.emplace_back(lane);
            order_.emplace_back(side);
            loop = parts;
        }
        return loop;
    }

    void run_in_parallel() {
        if (tiles_.empty() || t_.tasks == 0) {
            return;
        }
        RVar task = tiles_.front();
        for (size_t i = 1; i < tiles_.size(); i++) {
            const RVar both("tiles" + std::to_string(i));
            stage_.fuse(task, tiles_[i], both);
            task = both;
        }
        stage_.parallel(task);
    }

    const Func &scatter_;
    Stage stage_;
    const UpdateRoles &roles_;
    const MultiLevelTile &t_;
    std::vector<VarOrRVar> order_;  // innermost first
    std::vector<RVar> tiles_;
};

}  // namespace

void make_scatter_loops(const Func &scatter, const UpdateRoles &roles, const MultiLevelTile &t,
                        const std::vector<int> &order) {
    Func stored = scatter;
    std::vector<Var> storage;
    for (const int axis : order) {
        storage.push_back(stored.args()[static_cast<size_t>(axis)]);
    }
    stored.compute_root();
    if (storage.size() > 1) {
        stored.reorder_storage(storage);
    }
    make_copy_loops(stored, t, order);
    ScatterLoops(stored, roles, t).make();
}

}  // namespace emulsion
