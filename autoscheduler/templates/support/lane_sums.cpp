#include "autoscheduler/templates/support/lane_sums.h"

#include <algorithm>
#include <vector>

#include "autoscheduler/shared_sums.h"
#include "autoscheduler/templates/support/loops.h"
#include "autoscheduler/templates/support/parameters.h"

namespace emulsion {

namespace {

using Halide::Func;
using Halide::RVar;
using Halide::Stage;
using Halide::TailStrategy;
using Halide::Var;
using Halide::VarOrRVar;

// Of more lanes than these twice, so many are left before they are combined one after the other.
constexpr int kFewLanes = 4;
// Sums over so many vectors pay for more of them side by side, which at the end have to be combined as well.
constexpr int64_t kManyVectors = 32, kVeryMany = 128;

// Computes the partial results that `made` has along its last axis in vectors of `lanes`, in registers, while `loops`, the
// innermost first, add them up.
void compute_parts(Func made, int lanes, const std::vector<RVar> &loops, bool unrolled) {
    const Var part = pure_vars(made).back(), side("sides"), lane("part_lanes");
    store_innermost(made, part);
    made.split(part, side, lane, lanes).vectorize(lane).unroll(side);
    std::vector<VarOrRVar> order{lane, side};
    order.insert(order.end(), loops.begin(), loops.end());
    Stage update = made.update(0);
    update.split(part, side, lane, lanes).reorder(order).vectorize(lane).unroll(side);
    if (unrolled) {
        update.unroll(loops.front());
    }
}

}  // namespace

LaneShape lane_shape(int64_t extent, int vector) {
    // Not more parts than elements: of fewer, Halide 21 doesn't see how many there are.
    const int64_t lanes = floor_power_of_two(std::min<int64_t>(extent, vector));
    const int64_t vectors = extent / lanes;
    return {.lanes = static_cast<int>(lanes),
            .vectors = vectors >= kVeryMany      ? 4
                       : vectors >= kManyVectors ? 2
                                                 : 1};
}

void sum_in_lanes(Func sum, const RVar &along, const LaneShape &shape) {
    const int parts = shape.lanes * shape.vectors;
    const RVar steps(steps_of(along.name())), which(kPartLoop);
    sum.update(0).split(along, steps, which, parts, TailStrategy::GuardWithIf);
    Func partial = sum.update(0).rfactor(which, Var("part")), folded;
    RVar last = which;
    if (parts > 2 * kFewLanes) {
        const RVar few(kFewLoop);
        sum.update(0).split(which, RVar(steps_of(kPartLoop)), few, kFewLanes);
        folded = sum.update(0).rfactor(few, Var("folded"));
        last = few;
    }
    // Whatever becomes of the loops over the sums, one remains in which there is one of them.
    const Var innermost = pure_vars(sum).front(), single("single");
    sum.update(0).split(innermost, innermost, single, 1).unroll(last);

    std::vector<RVar> loops = reduction_vars(partial);
    const auto walked = std::find_if(loops.begin(), loops.end(),
                                     [&](const RVar &r) { return r.name() == steps.name(); });
    std::rotate(loops.begin(), walked, walked + 1);
    compute_parts(partial, shape.lanes, loops, false);
    partial.compute_at(sum, single);
    if (folded.defined()) {
        compute_parts(folded, kFewLanes, reduction_vars(folded), true);
        folded.compute_at(sum, single);
    }
}

}  // namespace emulsion
