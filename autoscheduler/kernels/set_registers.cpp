#include "autoscheduler/kernels/set_registers.h"

#include <algorithm>
#include <string>
#include <vector>

#include "autoscheduler/kernels/kernel_mutator.h"

namespace emulsion {

namespace {

using namespace Halide::Internal;
using Halide::Expr;

// Under which conditions a memory is stored to and loaded from.
class Conditions : public IRVisitor {
public:
    explicit Conditions(const std::string &name) : name_(name) {}

    // Whether there is a load for which not all conditions of some store are known to hold.
    bool may_read_unset() const {
        return std::any_of(stores_.begin(), stores_.end(), [&](const auto &store) {
            return std::any_of(loads_.begin(), loads_.end(),
                               [&](const auto &load) { return !implies(load, store); });
        });
    }

private:
    using IRVisitor::visit;

    static bool implies(const std::vector<Expr> &load, const std::vector<Expr> &store) {
        return std::all_of(store.begin(), store.end(), [&](const Expr &condition) {
            return std::any_of(load.begin(), load.end(),
                               [&](const Expr &known) { return equal(known, condition); });
        });
    }

    void visit(const IfThenElse *op) override {
        op->condition.accept(this);
        branch(op->condition, op->then_case);
        if (op->else_case.defined()) {
            branch(!op->condition, op->else_case);
        }
    }

    void branch(const Expr &condition, const Stmt &body) {
        holding_.push_back(condition);
        body.accept(this);
        holding_.pop_back();
    }

    void visit(const Store *op) override {
        if (op->name == name_) {
            stores_.push_back(holding_);
        }
        IRVisitor::visit(op);
    }

    void visit(const Load *op) override {
        if (op->name == name_) {
            loads_.push_back(holding_);
        }
        IRVisitor::visit(op);
    }

    std::string name_;
    std::vector<Expr> holding_;
    std::vector<std::vector<Expr>> stores_, loads_;
};

class RegisterSetter : public KernelMutator {
    using KernelMutator::visit;

    Stmt visit(const Allocate *op) override {
        Stmt body = mutate(op->body);
        if (in_registers(op)) {
            Conditions conditions(op->name);
            body.accept(&conditions);
            if (conditions.may_read_unset()) {
                body = Block::make(zeros(op), body);
            }
        }
        if (body.same_as(op->body)) {
            return op;
        }
        return Allocate::make(op->name, op->type, op->memory_type, op->extents, op->condition, body,
                              op->new_expr, op->free_function, op->padding);
    }

    // Other memory of a thread or a workgroup is no less undefined, but compilers don't look into it.
    bool in_registers(const Allocate *op) const {
        return in_kernel() && op->memory_type != Halide::MemoryType::GPUShared &&
               op->memory_type != Halide::MemoryType::Heap && op->constant_allocation_size() > 0;
    }

    // One store an element, without a loop: arrays become registers where all their indices are constants.
    static Stmt zeros(const Allocate *op) {
        std::vector<Stmt> stores;
        for (int i = 0; i < op->constant_allocation_size(); i++) {
            stores.push_back(Store::make(op->name, make_zero(op->type.element_of()), Expr(i),
                                         Halide::Parameter(), const_true(), ModulusRemainder()));
        }
        return Block::make(stores);
    }
};

}  // namespace

Stmt set_registers(const Stmt &statement) { return RegisterSetter().mutate(statement); }

}  // namespace emulsion
