#include "autoscheduler/templates/support/turned.h"

#include "autoscheduler/templates/support/definition_loops.h"
#include "autoscheduler/templates/support/loops.h"
#include "autoscheduler/templates/support/parameters.h"

namespace emulsion {

namespace {

using Halide::Func;
using Halide::Var;
using Halide::VarOrRVar;

using Rule = NestConstraint::Rule;

// Every definition walks along it in any order, one row beside the other.
bool can_turn(const NestFuncs &funcs, int axis) {
    const Func &f = funcs.root;
    if (funcs.is_output || !f.has_update_definition() ||
        !f.function().schedule().bounds().empty()) {
        return false;
    }
    for (int d = 1; d <= f.num_update_definitions(); d++) {
        if (!DefinitionLoops(f, d).is_free(axis)) {
            return false;
        }
    }
    return true;
}

void make_loops(const Func &f, int definition, const TurnedLoops &with) {
    DefinitionLoops loops(f, definition);
    std::vector<VarOrRVar> order;
    const Var lanes = loops.split_inner(with.axis, with.vector, with.tail);
    order.emplace_back(lanes);
    order.emplace_back(loops.loop(with.axis));
    order.insert(order.end(), loops.reduced().begin(), loops.reduced().end());
    for (int axis = 0; axis < f.dimensions(); axis++) {
        if (axis != with.axis && loops.is_free(axis)) {
            order.emplace_back(loops.loop(axis));
        }
    }
    loops.stage().reorder(order).vectorize(lanes);
}

}  // namespace

void add_vector_axis(const NestFuncs &funcs, NestSpace &space) {
    const int rank = funcs.root.dimensions();
    space.parameters.push_back(count_parameter("vector_axis", "axis", 0, std::max(0, rank - 1)));
    space.parameters.back().is_optional = true;
    for (int axis = 1; axis < rank; axis++) {
        const auto turned = std::pair{std::string("vector_axis"), int64_t{axis}};
        if (!can_turn(funcs, axis)) {
            space.constraints.push_back({Rule::ProductAtMost,
                                         {},
                                         0,
                                         "has no vectors along axis " + std::to_string(axis) +
                                             ": an update does not walk along it freely",
                                         turned});
            continue;
        }
        for (const auto &[name, most] :
             {std::pair{"sweep", 0}, std::pair{"transposes", 0}, std::pair{"unroll_axis", -1},
              std::pair{"own_sums", 0}, std::pair{"lanes", 1}, std::pair{"share", 0}}) {
            space.constraints.push_back({Rule::ProductAtMost,
                                         {name},
                                         most,
                                         "turns what another Func stores, with one definition",
                                         turned});
        }
    }
}

void make_turned_loops(Func f, const TurnedLoops &with) {
    store_innermost(f, f.args()[static_cast<size_t>(with.axis)]);
    for (int definition = 0; definition <= f.num_update_definitions(); definition++) {
        make_loops(f, definition, with);
    }
}

}  // namespace emulsion
