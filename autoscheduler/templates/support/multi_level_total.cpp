// A sum over everything, in parts: its loops are one, of which every task has a share and every lane a part.
#include <algorithm>

#include "autoscheduler/shared_sums.h"
#include "autoscheduler/templates/support/loops.h"
#include "autoscheduler/templates/support/multi_level.h"
#include "fusion/ceil_div.h"

namespace emulsion {

namespace {

using Halide::Func;
using Halide::RVar;
using Halide::Stage;
using Halide::TailStrategy;
using Halide::Var;
using Halide::VarOrRVar;

// The parts of a sum as another Func, which Halide makes of the loops that the parts are counted by.
class TotalParts {
public:
    TotalParts(const Func &total, const MultiLevelTile &t) : total_(total), t_(t) {}

    void make() {
        total_.compute_root();
        const RVar all = one_loop();
        RVar steps = all;
        std::vector<std::pair<RVar, Var>> kept;
        Stage update = total_.update(0);
        if (t_.tasks > 1) {
            const int64_t share = ceil_div(ceil_div(elements_, t_.tasks), t_.block()) * t_.block();
            const RVar shares(kShareLoop), rest(rest_of(all.name()));
            update.split(all, shares, rest, static_cast<int>(share));
            kept.emplace_back(shares, share_);
            steps = rest;
        }
        if (t_.block() > 1) {
            const RVar next(steps_of(steps.name())), which(kPartLoop);
            update.split(steps, next, which, t_.block());
            kept.emplace_back(which, lane_);
            steps = next;
        }
        if (kept.empty()) {
            return;
        }
        parts_ = update.rfactor(kept);
        parts_.compute_root();
        make_loops(Stage(parts_), {});
        make_loops(parts_.update(0), reduction_vars(parts_));
        add_parts();
    }

private:
    // One loop over all elements, the innermost fastest.
    RVar one_loop() {
        const std::vector<RVar> loops = reduction_vars(total_);
        for (const ReductionLoop &loop : func_facts(total_.function()).reduction) {
            elements_ *= loop.extent;
        }
        return fuse_reduction(total_.update(0), loops);
    }

    void make_loops(Stage stage, const std::vector<RVar> &steps) const {
        std::vector<VarOrRVar> order;
        const bool has_lanes = t_.block() > 1;
        const Var side("sides"), lane("part_lanes");
        if (has_lanes) {
            stage.split(lane_, side, lane, t_.vector, TailStrategy::GuardWithIf);
            order.emplace_back(lane);
        }
        std::vector<RVar> outer = steps;
        if (t_.unroll > 1 && !outer.empty()) {
            const RVar rest("rest"), next("next");
            stage.split(outer.front(), rest, next, t_.unroll, TailStrategy::GuardWithIf)
                .unroll(next);
            order.emplace_back(next);
            outer.front() = rest;
        }
        if (has_lanes) {
            order.emplace_back(side);
        }
        order.insert(order.end(), outer.begin(), outer.end());
        if (t_.tasks > 1) {
            order.emplace_back(share_);
        }
        if (order.size() > 1) {
            stage.reorder(order);
        }
        if (has_lanes) {
            stage.vectorize(lane).unroll(side);
        }
        if (t_.tasks > 1 && !steps.empty()) {
            stage.parallel(share_);
        }
    }

    // Parts of all tasks lane by lane, and then the lanes.
    void add_parts() {
        if (t_.vector < 2 || t_.block() * std::max(t_.tasks, 1) <= 2 * t_.vector) {
            return;
        }
        const RVar few(kFewLoop), steps(steps_of(kPartLoop));
        Stage update = total_.update(0);
        update.split(RVar(kPartLoop), steps, few, t_.vector);
        const Var lane("folded");
        Func folded = update.rfactor(few, lane);
        folded.compute_root().vectorize(lane);
        folded.update(0).vectorize(lane);
        std::vector<VarOrRVar> order{lane};
        for (const RVar &loop : reduction_vars(folded)) {
            order.emplace_back(loop);
        }
        folded.update(0).reorder(order);
    }

    Func total_;
    const MultiLevelTile &t_;
    Func parts_;
    int64_t elements_ = 1;
    const Var share_{"share"}, lane_{"part"};
};

}  // namespace

void make_total_loops(const Func &total, const MultiLevelTile &t) { TotalParts(total, t).make(); }

}  // namespace emulsion
