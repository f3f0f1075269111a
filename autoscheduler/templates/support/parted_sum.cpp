#include "autoscheduler/templates/support/parted_sum.h"

#include <algorithm>
#include <utility>

#include "autoscheduler/partial_sums.h"
#include "autoscheduler/shared_sums.h"
#include "autoscheduler/templates/support/loops.h"
#include "autoscheduler/templates/support/parameters.h"

namespace emulsion {

namespace {

using Halide::Func;
using Halide::RVar;
using Halide::TailStrategy;
using Halide::Var;
using Halide::VarOrRVar;

using Rule = NestConstraint::Rule;

constexpr int64_t kMostLanes = 256, kMostVectors = 8, kMostShare = int64_t{1} << 28;
// Of more lanes than these twice, so many are left before they are added up one after the other.
constexpr int kFewLanes = 4;

}  // namespace

SumParts::SumParts(const Nest &nest)
    : loop(parameter(nest, "lane_loop", 0)), lanes(parameter(nest, "lanes", 1)),
      vectors(parameter(nest, "lane_vectors", 1)), share(parameter(nest, "share", 0)) {}

void add_sum_parts(const NestFuncs &funcs, NestSpace &space) {
    const auto function = funcs.root.function();
    const bool adds_up = adds_up_in_parts(function);
    const bool lanes = adds_up_in_lanes(function);
    const int64_t loops = lanes ? std::ssize(function.update(0).schedule().rvars()) : int64_t{1};
    space.parameters.push_back(count_parameter("lane_loop", "loop", 0, loops - 1));
    space.parameters.push_back(count_parameter("lanes", "elements", 1, lanes ? kMostLanes : 1));
    space.parameters.back().domain.powers_of_two = true;
    space.parameters.push_back(
        count_parameter("lane_vectors", "vectors", 1, lanes ? kMostVectors : 1));
    // A panel's loops are serial, and those of the other Func are no place for stages.
    const bool shares = adds_up && !funcs.is_panel && funcs.stages.empty();
    space.parameters.push_back(count_parameter("share", "iterations", 0, shares ? kMostShare : 0));
    for (auto it = space.parameters.end() - 4; it != space.parameters.end(); ++it) {
        it->is_optional = true;
    }
    space.constraints.push_back({Rule::ProductAtMost,
                                 {"lanes", "lane_vectors"},
                                 kMostLanes,
                                 "adds up in more than " + std::to_string(kMostLanes) + " lanes"});
    for (const auto &[name, most] : {std::pair{"lanes", 1}, std::pair{"share", 0}}) {
        space.constraints.push_back({Rule::ProductAtMost,
                                     {name},
                                     most,
                                     "cuts the loops in which it computes others",
                                     std::pair{"sweep", 1}});
    }
}

PartedSum::PartedSum(Func sum, const SumParts &parts, int vector)
    : parts_(parts), vector_(vector), sum_(std::move(sum)) {
    const std::vector<RVar> loops = reduction_vars(sum_);
    Halide::Stage update = sum_.update(0);
    std::vector<std::pair<RVar, Var>> kept;
    std::string walked = loops[static_cast<size_t>(parts.loop)].name();
    if (parts.share > 0) {
        const RVar &outermost = loops.back();
        const RVar shares(kShareLoop), rest(rest_of(outermost.name()));
        update.split(outermost, shares, rest, parts.share);
        kept.emplace_back(shares, share_);
        walked = walked == outermost.name() ? rest.name() : walked;
    }
    if (parts.has_lanes()) {
        const RVar which(kPartLoop);
        update.split(RVar(walked), RVar(steps_of(walked)), which, parts.lanes * parts.vectors);
        kept.emplace_back(which, lane_);
    }
    partial_ = update.rfactor(kept);
    if (parts.has_lanes()) {
        store_innermost(partial_, lane_);
        fold_lanes();
    }
}

void PartedSum::fold_lanes() {
    if (parts_.share > 0 || parts_.lanes * parts_.vectors <= 2 * kFewLanes) {
        return;
    }
    const RVar few(kFewLoop);
    Halide::Stage update = sum_.update(0);
    update.split(RVar(kPartLoop), RVar(steps_of(kPartLoop)), few, kFewLanes);
    folded_ = update.rfactor(few, few_);
    store_innermost(folded_, few_);
}

void PartedSum::place(const VarOrRVar &at) {
    if (parts_.share > 0) {
        partial_.compute_root();
    } else {
        partial_.compute_at(sum_, at.var);
    }
    for (const int definition : {0, 1}) {
        make_loops(partial_, definition, parts_.lanes);
        if (folded_.defined()) {
            folded_.compute_at(sum_, at.var);
            make_loops(folded_, definition, kFewLanes);
        }
    }
}

void PartedSum::make_loops(Func parts, int definition, int lanes) {
    DefinitionLoops loops(parts, definition);
    const int rank = sum_.dimensions();
    // Vectors of partial sums, which stay in registers; or of columns, a row of which is added at a time.
    const int along = parts_.has_lanes() ? rank : 0;
    const bool vectors = parts_.has_lanes() || (rank > 0 && vector_ > 1 && loops.is_free(0));
    std::vector<VarOrRVar> order;
    Var vector;
    if (vectors) {
        vector = loops.split_inner(along, parts_.has_lanes() ? lanes : vector_,
                                   TailStrategy::GuardWithIf);
        order.emplace_back(vector);
        order.emplace_back(loops.loop(along));
    }
    order.insert(order.end(), loops.reduced().begin(), loops.reduced().end());
    for (int axis = 0; axis < rank; axis++) {
        if (loops.is_free(axis) && (!vectors || axis != along)) {
            order.emplace_back(loops.loop(axis));
        }
    }
    if (parts_.share > 0) {
        order.emplace_back(loops.loop(parts.dimensions() - 1));
    }
    if (order.size() > 1) {
        loops.stage().reorder(order);
    }
    if (vectors) {
        loops.stage().vectorize(vector);
    }
    if (parts_.has_lanes()) {
        loops.stage().unroll(loops.loop(along));
    }
    if (parts_.share > 0 && loops.is_update()) {
        loops.stage().parallel(loops.loop(parts.dimensions() - 1));
    }
}

}  // namespace emulsion
