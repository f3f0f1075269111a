// Images: tiles of the root in parallel, vectors along the innermost axis; the other stages of the group
// for whole tiles, or row by row while earlier rows are kept; reductions that only the root reads for a few
// vectors at a time. Also the nest of these stages themselves, and of every update definition.
#include <algorithm>
#include <limits>

#include "autoscheduler/templates/support/definition_loops.h"
#include "autoscheduler/templates/support/parameters.h"

namespace emulsion {

namespace {

using Halide::Func;
using Halide::RVar;
using Halide::TailStrategy;
using Halide::Var;
using Halide::VarOrRVar;

constexpr int64_t kMostElements = std::numeric_limits<int>::max();
constexpr int kMostVectors = 16, kWidestVector = 256;

std::string block_name(int axis) { return "block" + std::to_string(axis); }

NestSpace bounds_of_tiles(const NestFuncs &funcs) {
    const int rank = funcs.root.dimensions();
    NestSpace space;
    space.parameters = {
        count_parameter("vector", "elements", 1, kWidestVector),
        count_parameter("vectors", "vectors", 1, kMostVectors),
        optional_axis_parameter("unroll_axis", rank),
        optional_axis_parameter("slide_axis", rank),
        flag_parameter("transposes"),
        count_parameter("host", "definition", 0, funcs.root.num_update_definitions()),
        flag_parameter("sweep")};
    for (int axis = 0; axis < rank; axis++) {
        space.parameters.push_back(count_parameter(block_name(axis), "elements", 0, kMostElements));
        space.constraints.push_back(
            {NestConstraint::Rule::ProductAtLeast,
             {block_name(axis)},
             1,
             "keeps rows along axis " + std::to_string(axis) + ", which no block cuts",
             std::pair{"slide_axis", axis}});
    }
    return space;
}

struct Parameters {
    Parameters(const Nest &nest, int rank)
        : vector(parameter(nest, "vector")), vectors(parameter(nest, "vectors")),
          unroll_axis(parameter(nest, "unroll_axis")), slide_axis(parameter(nest, "slide_axis")),
          host(parameter(nest, "host")), transposes(parameter(nest, "transposes") != 0 && rank > 1),
          sweep(parameter(nest, "sweep") != 0) {
        for (int axis = 0; axis < rank; axis++) {
            block.push_back(parameter(nest, block_name(axis)));
        }
    }

    int vector, vectors, unroll_axis, slide_axis, host;
    bool transposes, sweep;
    std::vector<int> block;
};

// Places in the loops of a definition where other Funcs are computed.
struct Places {
    VarOrRVar task = Var::outermost();       // a tile
    VarOrRVar row = Var::outermost();        // a row of it
    VarOrRVar columns = Var::outermost();    // a few vectors
    VarOrRVar iteration = Var::outermost();  // of the reduction loops
};

// Splits, orders and marks the loops of one definition.
Places make_loops(const NestFuncs &funcs, const Parameters &with, int definition) {
    DefinitionLoops loops(funcs.root, definition);
    const int rank = funcs.root.dimensions();
    Places places;

    std::vector<Var> blocks;
    for (int axis = 0; axis < rank; axis++) {
        const int block = with.block[static_cast<size_t>(axis)];
        if (block > 0 && loops.is_free(axis) && !funcs.is_panel) {
            blocks.push_back(loops.split_outer(axis, block, TailStrategy::ShiftInwards));
        }
    }
    std::vector<VarOrRVar> order;
    const bool columns = rank > 0 && loops.is_free(0) && with.vector > 1;
    Var lanes;
    if (columns) {
        const bool several = with.vectors > 1 && definition == 0;
        Var part;
        if (several) {
            part = loops.split_inner(0, int64_t{with.vector} * with.vectors,
                                     TailStrategy::ShiftInwards);
            lanes = Var("lanes");
            const Var side("vectors");
            loops.stage().split(part, side, lanes, with.vector);
            order.emplace_back(lanes);
            order.emplace_back(side);
            loops.stage().unroll(side);
        } else {
            lanes = loops.split_inner(0, with.vector, TailStrategy::ShiftInwards);
            order.emplace_back(lanes);
        }
        places.columns = loops.loop(0);
    }
    Var row_lanes;
    const bool transposes = columns && with.transposes && definition == 0;
    if (transposes) {
        row_lanes = loops.split_inner(1, with.vector, TailStrategy::ShiftInwards);
        order.emplace_back(row_lanes);
    }
    const bool unrolls = with.unroll_axis >= 0 && loops.is_free(with.unroll_axis);
    if (unrolls) {
        order.emplace_back(loops.loop(with.unroll_axis));
    }
    const bool hosts = with.sweep && with.host == definition;
    const auto add_reduced = [&] {
        for (const RVar &r : loops.reduced()) {
            order.emplace_back(r);
        }
    };
    // Sums stay in registers while their loops run; the iterations of a scan go through memory, a row
    // of columns each.
    if (!loops.is_scan() && !hosts) {
        add_reduced();
    }
    if (rank > 0 && loops.is_free(0)) {
        order.emplace_back(loops.loop(0));
    }
    if (loops.is_scan() && !hosts) {
        add_reduced();
    }
    for (int axis = 1; axis < rank; axis++) {
        const bool placed = axis == with.slide_axis || (unrolls && axis == with.unroll_axis);
        if (loops.is_free(axis) && !placed) {
            order.emplace_back(loops.loop(axis));
        }
    }
    if (with.slide_axis >= 0 && loops.is_free(with.slide_axis)) {
        order.emplace_back(loops.loop(with.slide_axis));
        places.row = loops.loop(with.slide_axis);
    }
    if (hosts) {
        add_reduced();
        if (!loops.reduced().empty()) {
            places.iteration = loops.reduced().front();
        }
    }
    for (const Var &block : blocks) {
        order.emplace_back(block);
    }
    if (order.size() > 1) {
        loops.stage().reorder(order);
    }
    if (columns) {
        if (transposes) {
            loops.stage().vectorize(row_lanes);
        }
        loops.stage().vectorize(lanes);
    }
    if (unrolls) {
        loops.stage().unroll(loops.loop(with.unroll_axis));
    }
    if (!blocks.empty()) {
        const Var task = loops.fuse(blocks);
        loops.stage().parallel(task);
        places.task = task;
    } else if (order.size() <= 1 && !columns && !unrolls && loops.is_update()) {
        loops.stage().unscheduled();
    }
    return places;
}

// A reduction for the vectors of its reader, which are `columns` elements: sums side by side in
// registers.
void make_register_loops(Func sum, int vector, int columns) {
    sum.bound_extent(sum.args().front(), columns);
    for (int definition = 0; definition <= sum.num_update_definitions(); definition++) {
        DefinitionLoops loops(sum, definition);
        std::vector<VarOrRVar> order;
        const Var lanes = loops.split_inner(0, vector, TailStrategy::GuardWithIf);
        order.emplace_back(lanes);
        order.emplace_back(loops.loop(0));
        for (const RVar &r : loops.reduced()) {
            order.emplace_back(r);
        }
        for (int axis = 1; axis < sum.dimensions(); axis++) {
            order.emplace_back(loops.loop(axis));
        }
        loops.stage().reorder(order).vectorize(lanes).unroll(loops.loop(0));
    }
}

void apply_tiles(const NestFuncs &funcs, const Nest &nest) {
    const Parameters with(nest, funcs.root.dimensions());
    Func root = funcs.root;
    Places host;
    Places pure;
    for (int definition = 0; definition <= root.num_update_definitions(); definition++) {
        const Places places = make_loops(funcs, with, definition);
        if (definition == 0) {
            pure = places;
        }
        if (definition == with.host) {
            host = places;
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
    for (Func sum : funcs.registers) {
        sum.compute_at(root, pure.columns.var);
        make_register_loops(sum, with.vector, with.vector * with.vectors);
    }
}

std::optional<NestOffer> offer_tiles(const NestSubject &) { return std::nullopt; }

}  // namespace

const NestTemplate &nest_template_tiles() {
    static const NestTemplate t{
        "tiles",     "images: tiles in parallel, other stages at tiles or at their rows",
        120,         offer_tiles,
        apply_tiles, bounds_of_tiles};
    return t;
}

}  // namespace emulsion
