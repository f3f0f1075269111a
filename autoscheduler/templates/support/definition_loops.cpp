#include "autoscheduler/templates/support/definition_loops.h"

#include <algorithm>

namespace emulsion {

namespace {

using namespace Halide::Internal;
using Halide::Expr;
using Halide::Func;
using Halide::RVar;
using Halide::TailStrategy;
using Halide::Var;

// Finds calls of a Func at other places than `args`.
class ElsewhereFinder : public IRVisitor {
public:
    ElsewhereFinder(const std::string &name, const std::vector<Expr> &args)
        : name_(name), args_(args) {}
    bool found = false;

private:
    using IRVisitor::visit;

    void visit(const Call *call) override {
        IRVisitor::visit(call);
        if (call->call_type == Call::Halide && call->name == name_) {
            for (size_t i = 0; i < args_.size(); i++) {
                found = found || !equal(call->args[i], args_[i]);
            }
        }
    }

    const std::string &name_;
    const std::vector<Expr> &args_;
};

}  // namespace

DefinitionLoops::DefinitionLoops(const Func &func, int definition)
    : func_(func), definition_(definition),
      stage_(definition == 0 ? Halide::Stage(func_) : func_.update(definition - 1)),
      loops_(func.args()) {
    if (is_update()) {
        for (const auto &v : func_.function().update(definition - 1).schedule().rvars()) {
            reduced_.emplace_back(v.var);
        }
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
    if (!is_update()) {
        return false;
    }
    const Halide::Internal::Definition &update = func_.function().update(definition_ - 1);
    ElsewhereFinder finder(func_.name(), update.args());
    for (const Expr &value : update.values()) {
        value.accept(&finder);
    }
    return finder.found;
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
