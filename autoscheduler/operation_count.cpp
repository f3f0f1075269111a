#include "autoscheduler/operation_count.h"

#include <map>

#include "autoscheduler/taps.h"

namespace emulsion {

namespace {

using namespace Halide::Internal;
using Halide::Expr;

// In vector operations. Divisions by constants are multiplications and shifts; other integer divisions
// are done one by one.
constexpr double kFloatDivision = 4.0, kConstantDivision = 3.0, kIntegerDivision = 24.0;
// Of two values, by a weight and what is left of it.
constexpr double kLerp = 3.0;

// Halide computes numbers of 16 bits as integers, but for what processors convert: float16 and float32.
constexpr double kEmulatedCast = 12.0;

bool is_emulated(const Halide::Type &from, const Halide::Type &to) {
    const auto is_half = [](const Halide::Type &type) {
        return type.is_float() && type.bits() == 16;
    };
    const bool converts = (from.is_float() && from.bits() == 32 && !to.is_bfloat()) ||
                          (to.is_float() && to.bits() == 32 && !from.is_bfloat());
    return (is_half(from) || is_half(to)) && !converts;
}

// Of a function, as Halide and LLVM expand it for floats; others are taken to be like exp.
double function_cost(const std::string &name) {
    constexpr double kExponential = 16.0;
    static const std::map<std::string, double> kCosts = {
        {"tanh_f32", 2 * kExponential},
        {"pow_f32", 2 * kExponential},
        {"sin_f32", 2 * kExponential},
        {"cos_f32", 2 * kExponential},
        {"sqrt_f32", 6.0},
        {"fast_inverse_f32", 1.0},
        {"floor_f32", 1.0},
        {"ceil_f32", 1.0},
        {"round_f32", 1.0},
        {"trunc_f32", 1.0},
        {"is_nan_f32", 1.0},
        {"fast_inverse_sqrt_f32", 1.0},
    };
    const auto known = kCosts.find(name);
    return known == kCosts.end() ? kExponential : known->second;
}

class Counter : public IRGraphVisitor {
public:
    double count_in(const Expr &e) {
        include(e);
        return count_;
    }

private:
    using IRGraphVisitor::visit;

    void visit(const Add *op) override { binary(op); }
    void visit(const Sub *op) override { binary(op); }
    void visit(const Mul *op) override { binary(op); }
    void visit(const Min *op) override { binary(op); }
    void visit(const Max *op) override { binary(op); }
    void visit(const EQ *op) override { binary(op); }
    void visit(const NE *op) override { binary(op); }
    void visit(const LT *op) override { binary(op); }
    void visit(const LE *op) override { binary(op); }
    void visit(const GT *op) override { binary(op); }
    void visit(const GE *op) override { binary(op); }
    void visit(const And *op) override { binary(op); }
    void visit(const Or *op) override { binary(op); }
    void visit(const Div *op) override { division(op); }
    void visit(const Mod *op) override { division(op); }
    void visit(const Cast *op) override {
        const bool same_bits = op->type.bits() == op->value.type().bits() &&
                               op->type.is_int_or_uint() && op->value.type().is_int_or_uint();
        count_ += is_emulated(op->value.type(), op->type) ? kEmulatedCast : same_bits ? 0.0 : 1.0;
        IRGraphVisitor::visit(op);
    }
    void visit(const Select *op) override {
        count_ += 1.0;
        const auto *condition = op->condition.as<Call>();
        if (condition != nullptr && condition->is_intrinsic(Call::likely)) {
            // Halide cuts loops where it begins and ends to hold.
            include(op->true_value);
            return;
        }
        IRGraphVisitor::visit(op);
    }
    void visit(const Call *op) override {
        if (op->call_type == Call::Halide || op->call_type == Call::Image) {
            for (const Expr &index : op->args) {
                if (reads_something(index)) {
                    include(index);
                }
            }
            return;
        }
        if (op->is_intrinsic(Call::mux)) {
            for (size_t i = 1; i < op->args.size(); i++) {
                include(op->args[i]);
            }
            return;
        }
        count_ += op->is_intrinsic(Call::lerp) ? kLerp
                  : op->is_intrinsic()         ? 1.0
                                               : function_cost(op->name);
        IRGraphVisitor::visit(op);
    }

    template<typename T>
    void binary(const T *op) {
        count_ += 1.0;
        IRGraphVisitor::visit(op);
    }
    template<typename T>
    void division(const T *op) {
        count_ += op->type.is_float() ? kFloatDivision
                  : is_const(op->b)   ? kConstantDivision
                                      : kIntegerDivision;
        IRGraphVisitor::visit(op);
    }

    double count_ = 0.0;
};

// Only operations whose value depends on a variable.
class DependentCounter : public Counter {
public:
    explicit DependentCounter(const std::string &variable) : variable_(variable) {}

protected:
    void include(const Expr &e) override {
        if (expr_uses_var(e, variable_)) {
            Counter::include(e);
        }
    }

private:
    const std::string &variable_;
};

class BranchFinder : public IRGraphVisitor {
public:
    explicit BranchFinder(const std::string &variable) : variable_(variable) {}
    bool found = false;

private:
    using IRGraphVisitor::visit;

    bool is_variable(const Expr &e) const {
        const auto *v = e.as<Variable>();
        return v != nullptr && v->name == variable_;
    }
    void visit(const Call *op) override {
        found = found || (op->is_intrinsic(Call::mux) && is_variable(op->args.front()));
        IRGraphVisitor::visit(op);
    }
    void visit(const EQ *op) override {
        found = found || (is_variable(op->a) && is_const(op->b));
        IRGraphVisitor::visit(op);
    }

    const std::string &variable_;
};

}  // namespace

double count_operations(const Expr &e) { return Counter().count_in(e); }

double count_operations_without(const Expr &e, const std::string &variable) {
    return count_operations(e) - DependentCounter(variable).count_in(e);
}

bool decides_branches(const std::vector<Expr> &expressions, const std::string &variable) {
    BranchFinder finder(variable);
    for (const Expr &e : expressions) {
        e.accept(&finder);
    }
    return finder.found;
}

}  // namespace emulsion
