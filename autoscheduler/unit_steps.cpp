#include "autoscheduler/unit_steps.h"

#include <algorithm>
#include <map>

#include "autoscheduler/definitions.h"
#include "autoscheduler/let_visitor.h"

namespace emulsion {

namespace {

using namespace Halide::Internal;
using Halide::Expr;

// Made of parameters and numbers alone, with a parameter among them: the same for all elements, but unknown.
bool is_step(const Expr &e) {
    class Finder : public IRVisitor {
    public:
        bool has_parameter = false, varies = false;

    private:
        using IRVisitor::visit;
        void visit(const Variable *op) override {
            const bool fixed = op->param.defined() || op->image.defined();
            has_parameter = has_parameter || fixed;
            varies = varies || !fixed;
        }
        void visit(const Call *) override { varies = true; }
    } finder;
    e.accept(&finder);
    return finder.has_parameter && !finder.varies;
}

class UnitSteps : public IRMutator {
public:
    std::vector<Expr> steps;

private:
    using IRMutator::visit;

    bool is_divisor(const Expr &a, const Expr &b) {
        if (!is_step(b) || is_step(a)) {
            return false;
        }
        steps.push_back(b);
        return true;
    }

    Expr visit(const Div *op) override {
        return is_divisor(op->a, op->b) ? mutate(op->a) : IRMutator::visit(op);
    }
    Expr visit(const Mod *op) override {
        return is_divisor(op->a, op->b) ? make_zero(op->type) : IRMutator::visit(op);
    }
    Expr visit(const Mul *op) override {
        return is_divisor(op->a, op->b)   ? mutate(op->a)
               : is_divisor(op->b, op->a) ? mutate(op->b)
                                          : IRMutator::visit(op);
    }
};

// Of all indices in an expression.
class StepCollector : public LetVisitor {
public:
    std::vector<Expr> steps;

private:
    using LetVisitor::visit;

    void visit(const Call *op) override {
        LetVisitor::visit(op);
        if (op->call_type == Call::Halide || op->call_type == Call::Image) {
            for (const Expr &index : op->args) {
                UnitSteps found;
                found.mutate(without_lets(index));
                steps.insert(steps.end(), found.steps.begin(), found.steps.end());
            }
        }
    }
};

// Of a buffer whose first axis has one element, elements along the second lie side by side. Halide has to be told.
Expr is_dense(const Expr &step) {
    const auto *extent = step.as<Variable>();
    if (extent == nullptr || !extent->param.defined() || !extent->param.is_buffer() ||
        extent->param.dimensions() < 2 || extent->name != extent->param.name() + ".extent.0") {
        return {};
    }
    return Variable::make(Halide::Int(32), extent->param.name() + ".stride.1", extent->param) == 1;
}

}  // namespace

Expr with_unit_steps(const Expr &index) { return UnitSteps().mutate(index); }

bool has_steps(const std::vector<Expr> &expressions) {
    StepCollector found;
    for (const Expr &e : expressions) {
        e.accept(&found);
    }
    return !found.steps.empty();
}

Expr has_unit_steps(const Halide::Func &f) {
    std::map<std::string, Function> functions = find_transitive_calls(f.function());
    functions.emplace(f.name(), f.function());
    StepCollector found;
    for (const auto &[name, function] : functions) {
        for (const FuncDefinition &definition : definitions_of(function)) {
            for (const Expr &e : definition.expressions) {
                e.accept(&found);
            }
        }
    }
    std::vector<Expr> different;
    Expr all;
    for (const Expr &step : found.steps) {
        const bool known = std::any_of(different.begin(), different.end(),
                                       [&](const Expr &e) { return equal(e, step); });
        if (known) {
            continue;
        }
        different.push_back(step);
        Expr condition = step == make_one(step.type());
        if (const Expr dense = is_dense(step); dense.defined()) {
            condition = condition && dense;
        }
        all = all.defined() ? all && condition : condition;
    }
    return all;
}

}  // namespace emulsion
