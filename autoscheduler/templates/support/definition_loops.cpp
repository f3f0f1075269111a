#include "autoscheduler/templates/support/definition_loops.h"

#include <algorithm>
#include <set>
#include <string>

#include "autoscheduler/definitions.h"
#include "autoscheduler/func_facts.h"
#include "autoscheduler/templates/support/loops.h"

namespace emulsion {

namespace {

using namespace Halide::Internal;
using Halide::Expr;
using Halide::Func;
using Halide::RVar;
using Halide::TailStrategy;
using Halide::Var;

}  // namespace

DefinitionLoops::DefinitionLoops(const Func &func, int definition)
    : func_(func), definition_(definition),
      stage_(definition == 0 ? Halide::Stage(func_) : func_.update(definition - 1)),
      loops_(func.args()) {
    if (is_update()) {
        reduced_ = reduction_vars(func_, definition - 1);
    }
}

bool DefinitionLoops::is_free(int axis) const {
    if (!is_update()) {
        return true;
    }
    const Expr &arg = func_.function().update(definition_ - 1).args()[static_cast<size_t>(axis)];
    const auto *v = arg.as<Variable>();
    return v != nullptr && v->name == func_.args()[static_cast<size_t>(axis)].name();
}

bool DefinitionLoops::is_scan() const {
    return is_update() && emulsion::is_scan(func_.name(), func_.function().update(definition_ - 1));
}

bool DefinitionLoops::can_specialise() const {
    const std::vector<FuncDefinition> definitions = definitions_of(func_.function());
    std::set<std::string> reads, simplified;
    for (const Expr &e : definitions[static_cast<size_t>(definition_)].expressions) {
        reads.merge(funcs_read_by(e));
        simplified.merge(funcs_read_by(simplify(e)));
    }
    return simplified == reads;
}

TailStrategy DefinitionLoops::tail(TailStrategy pure_tail) const {
    return is_update() ? TailStrategy::GuardWithIf : pure_tail;
}

Var DefinitionLoops::fresh(int axis, const std::string &what) const {
    const std::string update = is_update() ? "_u" + std::to_string(definition_ - 1) : "";
    return Var(func_.args()[static_cast<size_t>(axis)].name() + "_" + what + update);
}

Var DefinitionLoops::split_inner(int axis, int64_t step, TailStrategy pure_tail) {
    const Var old = loop(axis);
    const Var outer = fresh(axis, "steps" + std::to_string(step)),
              inner = fresh(axis, "in" + std::to_string(step));
    stage_.split(old, outer, inner, static_cast<int>(step), tail(pure_tail));
    loops_[static_cast<size_t>(axis)] = outer;
    return inner;
}

Var DefinitionLoops::split_outer(int axis, int64_t step, TailStrategy pure_tail) {
    const Var old = loop(axis);
    const Var outer = fresh(axis, "block"), inner = fresh(axis, "rest");
    stage_.split(old, outer, inner, static_cast<int>(step), tail(pure_tail));
    loops_[static_cast<size_t>(axis)] = inner;
    return outer;
}

Var DefinitionLoops::fuse(const std::vector<Var> &loops) {
    Var fused = loops.front();
    for (size_t i = 1; i < loops.size(); i++) {
        const Var both = Var("task" + std::to_string(i) +
                             (is_update() ? "_u" + std::to_string(definition_ - 1) : ""));
        stage_.fuse(fused, loops[i], both);
        fused = both;
    }
    return fused;
}

}  // namespace emulsion
