// Images: tiles of the root in parallel, vectors along the innermost axis; the other stages of the group
// for whole tiles, or row by row while earlier rows are kept; reductions that only the root reads for a few
// vectors at a time. Also the nest of these stages themselves, and of every update definition.
#include <algorithm>
#include <optional>

#include "autoscheduler/channels.h"
#include "autoscheduler/regions.h"
#include "autoscheduler/templates/support/definition_loops.h"
#include "autoscheduler/templates/support/parameters.h"
#include "autoscheduler/templates/support/parted_sum.h"
#include "autoscheduler/templates/support/register_sums.h"
#include "autoscheduler/templates/support/stored_copy.h"
#include "autoscheduler/templates/support/tiles_space.h"
#include "autoscheduler/templates/support/turned.h"
#include "autoscheduler/unit_steps.h"
#include "fusion/image/unrolled_code.h"

namespace emulsion {

namespace {

using Halide::Func;
using Halide::TailStrategy;
using Halide::Var;
using Halide::VarOrRVar;

struct Parameters {
    Parameters(const Nest &nest, const NestFuncs &funcs)
        : vector(parameter(nest, "vector")), vectors(parameter(nest, "vectors")),
          unroll_axis(parameter(nest, "unroll_axis")), slide_axis(parameter(nest, "slide_axis")),
          vector_axis(parameter(nest, "vector_axis", 0)), registers{.row_axis = parameter(
                                                                        nest, "register_axis", -1),
                                                                    .rows = parameter(
                                                                        nest, "register_rows", 1)},
          // What another Func stores has one definition.
          host(parameter(nest, "own_sums", 0) != 0 || vector_axis > 0 ? 0
                                                                      : parameter(nest, "host")),
          row_axis(std::max(1, vector_axis)),
          transposes((parameter(nest, "transposes") != 0 || vector_axis > 0) &&
                     funcs.root.dimensions() > 1),
          sweep(parameter(nest, "sweep") != 0),
          unit_steps(parameter(nest, "unit_steps", 0) != 0 ? has_unit_steps(funcs.root)
                                                           : Halide::Expr()),
          parts(nest), column_tail(funcs.is_panel && funcs.root.dimensions() == 1 &&
                                           funcs.host_root.dimensions() > 1
                                       ? TailStrategy::GuardWithIf
                                       : TailStrategy::ShiftInwards),
          tail(funcs.target.has_feature(Halide::Target::NoAsserts) ? TailStrategy::GuardWithIf
                                                                   : TailStrategy::ShiftInwards) {
        const std::vector<int64_t> declared = declared_extents(funcs.root);
        for (size_t axis = 0; axis < declared.size(); axis++) {
            const int tile =
                funcs.is_panel ? 0 : parameter(nest, block_name(static_cast<int>(axis)));
            const bool cuts = tile > 0 && (declared[axis] < 0 || tile < declared[axis]);
            block.push_back(cuts ? tile : 0);
            room.push_back(cuts ? tile : static_cast<int>(declared[axis]));
        }
        if (!room.empty() && room[0] > 0) {
            vector = std::min(vector, room[0]);
            vectors = std::min(vectors, room[0] / vector);
        }
        const int rows_in_tile = transposes ? room[static_cast<size_t>(row_axis)] : 0;
        rows = rows_in_tile > 0 ? std::min(vector, rows_in_tile) : vector;
        transposes = transposes && rows > 1;
        lanes_of_turned = rows;
        if (vector_axis > 0) {
            const int most = static_cast<int>(
                best_transposed_rows(std::max(1, funcs.root.types().front().bytes())));
            vector = std::min(vector, most);
            rows = std::min(rows, most);
        }
        limit_sums(declared);
    }

    // What lies beside a smaller output than there was to be, or beside the last of tiles that are cut off, is added up
    // too: without assertions, in no more vectors than docs/limits.md says.
    void limit_sums(const std::vector<int64_t> &declared) {
        constexpr int kMostUnchecked = 4;
        const auto is_filled = [&](size_t axis) {
            return tail == TailStrategy::ShiftInwards ||
                   (declared[axis] > 0 && (block[axis] == 0 || declared[axis] % block[axis] == 0));
        };
        if (!declared.empty() && !is_filled(0)) {
            vectors = std::min(vectors, kMostUnchecked);
        }
        registers.vector = vector;
        registers.columns = vector * vectors;
        if (registers.row_axis >= 0) {
            const auto axis = static_cast<size_t>(registers.row_axis);
            const int most = !is_filled(axis) ? 1 : room[axis];
            registers.rows = most > 0 ? std::min(registers.rows, most) : registers.rows;
        }
    }

    int vector, vectors, unroll_axis, slide_axis, vector_axis;
    SumBlock registers;
    int host;
    int row_axis, rows = 1;   // of a transposed block
    int lanes_of_turned = 1;  // where the root stores what is turned
    bool transposes, sweep;
    Halide::Expr unit_steps;  // what the loops are specialised for, where it is defined
    SumParts parts;
    // Of vectors: values of rows, of which there are fewer in a tile, would be computed for rows that aren't there.
    TailStrategy column_tail;
    TailStrategy tail;  // of blocks; without assertions, nobody notices a smaller output
    std::vector<int> block;
    // Along each axis, how far loops may step: steps that don't divide it are shifted inwards, and may not leave the
    // block, or the Func where its extent is declared, at the other end. -1: as far as they like.
    std::vector<int> room;
};

// Places in the loops of a definition where other Funcs are computed.
struct Places {
    VarOrRVar task = Var::outermost();       // a tile
    VarOrRVar row = Var::outermost();        // a row of it
    VarOrRVar columns = Var::outermost();    // a few vectors
    VarOrRVar element = Var::outermost();    // one or a few vectors of them
    VarOrRVar iteration = Var::outermost();  // of the reduction loops
};

// Splits, orders and marks the loops of one definition of the root.
class LoopsOfTiles {
public:
    LoopsOfTiles(const NestFuncs &funcs, const Parameters &with, int definition)
        : with_(with), definition_(definition), loops_(funcs.root, definition),
          rank_(funcs.root.dimensions()), adds_lanes_(definition > 0 && with.parts.has_lanes()),
          // Sums in registers are computed at the columns, however narrow they are.
          has_columns_(is_free(0) && !adds_lanes_ &&
                       (with.vector > 1 || (!funcs.registers.empty() && definition == 0))),
          transposes_(has_columns_ && with.transposes && definition == 0),
          unrolls_(is_free(with.unroll_axis) && !adds_lanes_),
          specialised_for_(unrolls_ && !always_has_few_elements(funcs, with.unroll_axis)
                               ? condition_of_unrolling(funcs, with.unroll_axis)
                               : Halide::Expr()),
          hosts_(with.sweep && with.host == definition) {}

    Places make() {
        cut_blocks();
        if (has_columns_) {
            cut_columns();
        }
        if (transposes_) {
            row_lanes_ = loops_.split_inner(with_.row_axis, with_.rows, TailStrategy::ShiftInwards);
            order_.emplace_back(row_lanes_);
        }
        order_loops();
        mark_vectors();
        run_in_parallel();
        specialise();
        return places_;
    }

private:
    bool is_free(int axis) const { return axis >= 0 && axis < rank_ && loops_.is_free(axis); }

    void cut_blocks() {
        for (int axis = 0; axis < rank_; axis++) {
            const int block = with_.block[static_cast<size_t>(axis)];
            if (block > 0 && is_free(axis)) {
                blocks_.push_back(loops_.split_outer(axis, block, with_.tail));
            }
        }
    }

    void cut_columns() {
        if (with_.vectors > 1 && definition_ == 0) {
            const Var part =
                loops_.split_inner(0, int64_t{with_.vector} * with_.vectors, with_.column_tail);
            lanes_ = Var("lanes");
            const Var side("vectors");
            loops_.stage().split(part, side, lanes_, with_.vector);
            order_.emplace_back(lanes_);
            order_.emplace_back(side);
            loops_.stage().unroll(side);
        } else {
            lanes_ = loops_.split_inner(0, with_.vector, with_.column_tail);
            order_.emplace_back(lanes_);
        }
        if (definition_ == 0 && with_.registers.has_rows()) {
            const Var row = loops_.split_inner(with_.registers.row_axis, with_.registers.rows,
                                               TailStrategy::ShiftInwards);
            order_.emplace_back(row);
            loops_.stage().unroll(row);
        }
        places_.columns = loops_.loop(0);
    }

    void order_loops() {
        if (unrolls_) {
            order_.emplace_back(loops_.loop(with_.unroll_axis));
        }
        // Sums stay in registers while their loops run; the iterations of a scan go through memory, a row
        // of columns each.
        if (!loops_.is_scan() && !hosts_) {
            add_reduced();
        }
        if (is_free(0)) {
            order_.emplace_back(loops_.loop(0));
            places_.element = loops_.loop(0);
        }
        if (loops_.is_scan() && !hosts_) {
            add_reduced();
        }
        for (int axis = 1; axis < rank_; axis++) {
            const bool placed = axis == with_.slide_axis || (unrolls_ && axis == with_.unroll_axis);
            if (is_free(axis) && !placed) {
                order_.emplace_back(loops_.loop(axis));
            }
        }
        if (is_free(with_.slide_axis)) {
            order_.emplace_back(loops_.loop(with_.slide_axis));
            places_.row = loops_.loop(with_.slide_axis);
        }
        if (hosts_) {
            add_reduced();
            if (!loops_.reduced().empty()) {
                places_.iteration = loops_.reduced().front();
            }
        }
        order_.insert(order_.end(), blocks_.begin(), blocks_.end());
        if (order_.size() > 1) {
            loops_.stage().reorder(order_);
        }
    }

    void add_reduced() {
        order_.insert(order_.end(), loops_.reduced().begin(), loops_.reduced().end());
    }

    void mark_vectors() {
        if (transposes_) {
            // LLVM makes dense loads and shuffles of the block; of one long vector it makes several times as many.
            loops_.stage().unroll(row_lanes_);
        }
        if (has_columns_ && with_.vector > 1) {
            loops_.stage().vectorize(lanes_);
        }
        if (unrolls_ && !specialised_for_.defined()) {
            loops_.stage().unroll(loops_.loop(with_.unroll_axis));
        }
    }

    // Last: a specialisation has the loops that there are when it is made.
    void specialise() {
        const Halide::Expr condition =
            specialised_for_.defined() ? specialised_for_ : with_.unit_steps;
        if (!condition.defined() || !loops_.can_specialise()) {
            return;
        }
        Halide::Stage specialised = loops_.stage().specialize(condition);
        if (specialised_for_.defined()) {
            specialised.unroll(loops_.loop(with_.unroll_axis));
        }
    }

    // When the axis has as many elements as its loop is unrolled for.
    static Halide::Expr condition_of_unrolling(const NestFuncs &funcs, int axis) {
        return funcs.is_output ? is_as_estimated(funcs.root, axis) : funcs.channels_as_estimated();
    }

    void run_in_parallel() {
        if (!blocks_.empty()) {
            const Var task = loops_.fuse(blocks_);
            loops_.stage().parallel(task);
            // Halide cuts a loop where clamps begin and end to matter, the outermost that decides; what is cut off
            // keeps all clamps. Of tasks that would be all of those at the edges, of the loops inside a few rows.
            if (order_.size() > blocks_.size() + (has_columns_ ? 1 : 0)) {
                loops_.stage().never_partition(task);
            }
            places_.task = task;
        } else if (loops_.is_update() && !loops_.stage().get_schedule().touched()) {
            loops_.stage().unscheduled();
        }
    }

    const Parameters &with_;
    const int definition_;
    DefinitionLoops loops_;
    const int rank_;
    const bool adds_lanes_;  // of another Func, element by element
    const bool has_columns_, transposes_, unrolls_;
    const Halide::Expr specialised_for_;  // what the axis is unrolled for, undefined: always
    const bool hosts_;                    // other stages, in the loops of its reduction
    std::vector<Var> blocks_;
    std::vector<VarOrRVar> order_;  // innermost first
    Var lanes_, row_lanes_;
    Places places_;
};

void apply_tiles(const NestFuncs &planned, const Nest &nest) {
    NestFuncs funcs = planned;
    const bool own_sums = parameter(nest, "own_sums", 0) != 0;
    if (own_sums || parameter(nest, "vector_axis", 0) > 0) {
        funcs.root = stored_copy(planned.root);
    }
    if (own_sums) {
        funcs.registers.push_back(planned.root);
    }
    const Parameters with(nest, funcs);
    Func root = funcs.root;
    std::optional<PartedSum> parts;
    if (with.parts.exists()) {
        parts.emplace(root, with.parts, with.vector);
    }
    Places host;
    Places pure;
    for (int definition = 0; definition <= root.num_update_definitions(); definition++) {
        const Places places = LoopsOfTiles(funcs, with, definition).make();
        if (definition == 0) {
            pure = places;
        }
        if (definition == with.host) {
            host = places;
        }
        if (definition == 1 && parts) {
            parts->place(places.element);
        }
    }
    for (Func stage : funcs.stages) {
        if (with.slide_axis >= 0) {
            stage.store_at(root, host.task.var).compute_at(root, host.row.var);
        } else if (with.sweep) {
            stage.compute_at(root, host.iteration.rvar);
        } else {
            stage.compute_at(root, host.task.var);
        }
    }
    if (with.vector_axis > 0) {
        Func turned = planned.root;
        turned.compute_at(root, pure.task.var);
        make_turned_loops(turned, {with.vector_axis, with.lanes_of_turned, with.tail});
    }
    for (Func sum : funcs.registers) {
        sum.compute_at(root, pure.columns.var);
        make_register_loops(sum, with.registers);
    }
}

std::optional<NestOffer> offer_tiles(const NestSubject &) { return std::nullopt; }

}  // namespace

const NestTemplate &nest_template_tiles() {
    static const NestTemplate t{
        .name = "tiles",
        .description = "images: tiles in parallel, other stages at tiles or at their rows",
        .rank = 120,
        .offer = offer_tiles,
        .apply = apply_tiles,
        .bounds = bounds_of_tiles,
    };
    return t;
}

}  // namespace emulsion
