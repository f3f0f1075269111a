#include "autoscheduler/kernels/whole_stores.h"

#include <map>
#include <string>
#include <utility>

#include "autoscheduler/kernels/kernel_mutator.h"

namespace emulsion {

namespace {

using namespace Halide::Internal;
using Halide::Expr;

// Loads of `array` at `index` are whole, too: their lanes are there.
class WholeLoads : public IRMutator {
public:
    WholeLoads(std::string array, Expr index)
        : array_(std::move(array)), index_(std::move(index)) {}
    using IRMutator::mutate;

private:
    using IRMutator::visit;

    std::string array_;
    Expr index_;

    Expr visit(const Load *op) override {
        if (op->name != array_ || is_const_one(op->predicate) || !equal(op->index, index_)) {
            return IRMutator::visit(op);
        }
        return Load::make(op->type, op->name, op->index, op->image, op->param,
                          const_true(op->type.lanes()), op->alignment);
    }
};

class WholeStores : public KernelMutator {
    using KernelMutator::visit;

    std::map<std::string, int64_t>
        elements_;  // of the arrays of the thread that runs the loops we are in

    bool has_all_lanes(const Store *op) const {
        const auto array = elements_.find(op->name);
        const Ramp *places = op->index.as<Ramp>();
        if (array == elements_.end() || places == nullptr || !is_const_one(places->stride)) {
            return false;
        }
        const auto first = as_const_int(places->base);
        return first && *first >= 0 && *first + places->lanes <= array->second;
    }

    Stmt visit(const Store *op) override {
        if (in_kernel() || is_const_one(op->predicate) || !has_all_lanes(op)) {
            return IRMutator::visit(op);
        }
        const int lanes = op->value.type().lanes();
        const Expr before = Load::make(op->value.type(), op->name, op->index, {}, op->param,
                                       const_true(lanes), op->alignment);
        const Expr value = WholeLoads(op->name, op->index).mutate(op->value);
        return Store::make(op->name, Select::make(op->predicate, value, before), op->index,
                           op->param, const_true(lanes), op->alignment);
    }

    Stmt visit(const Allocate *op) override {
        const auto outside = elements_;
        elements_.erase(op->name);
        if (op->constant_allocation_size() > 0 && !op->new_expr.defined()) {
            elements_[op->name] = op->constant_allocation_size();
        }
        Stmt statement = IRMutator::visit(op);
        elements_ = outside;
        return statement;
    }

    Stmt visit(const For *op) override {
        const auto outside = elements_;
        if (is_unordered_parallel(op->for_type)) {
            elements_.clear();
        }
        Stmt loop = KernelMutator::visit(op);
        elements_ = outside;
        return loop;
    }

    // What runs beside something else may share arrays with it.
    Stmt visit(const Fork *op) override { return op; }
};

}  // namespace

Stmt with_whole_stores(const Stmt &statement) { return WholeStores().mutate(statement); }

}  // namespace emulsion
