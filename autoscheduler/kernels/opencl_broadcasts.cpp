#include "autoscheduler/kernels/opencl_broadcasts.h"

#include <map>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include "autoscheduler/kernels/kernel_mutator.h"

namespace emulsion {

namespace {

using namespace Halide::Internal;
using Halide::Expr;
using Halide::Type;

// A mask becomes numbers as a choice between vectors of ones and of zeros.
bool is_mask_to_numbers(const Cast *op) {
    return op->value.type().is_bool() && op->type.is_vector() && !op->type.is_bool();
}

bool is_of_scalar(const Broadcast *op) {
    return op->value.type().is_scalar() && !op->type.is_bool();
}

std::string text_of(const Expr &scalar) {
    std::ostringstream text;
    text << scalar.type() << " " << scalar;
    return text.str();
}

// The widths that every scalar is broadcast to.
class Widths : public IRVisitor {
public:
    bool are_several(const Expr &scalar) const {
        const auto found = of_.find(text_of(scalar));
        return found != of_.end() && found->second.size() > 1;
    }

private:
    using IRVisitor::visit;

    void visit(const Broadcast *op) override {
        if (is_of_scalar(op)) {
            of_[text_of(op->value)].insert(op->lanes);
        }
        IRVisitor::visit(op);
    }

    void visit(const Cast *op) override {
        if (is_mask_to_numbers(op)) {
            of_[text_of(make_one(op->type.element_of()))].insert(op->type.lanes());
            of_[text_of(make_zero(op->type.element_of()))].insert(op->type.lanes());
        }
        IRVisitor::visit(op);
    }

    std::map<std::string, std::set<int>> of_;
};

Expr lane_by_lane(const Expr &scalar, int lanes) {
    return Shuffle::make_concat(std::vector<Expr>(static_cast<size_t>(lanes), scalar));
}

class DistinctBroadcasts : public KernelMutator {
public:
    explicit DistinctBroadcasts(const Widths &widths) : widths_(widths) {}

private:
    using KernelMutator::visit;

    Expr visit(const Broadcast *op) override {
        return in_opencl_kernel() && is_of_scalar(op) && widths_.are_several(op->value)
                   ? lane_by_lane(mutate(op->value), op->lanes)
                   : IRMutator::visit(op);
    }

    Expr visit(const Cast *op) override {
        if (!in_opencl_kernel() || !is_mask_to_numbers(op)) {
            return IRMutator::visit(op);
        }
        const Type type = op->type.element_of();
        const Expr one = make_one(type), zero = make_zero(type);
        if (!widths_.are_several(one) && !widths_.are_several(zero)) {
            return IRMutator::visit(op);
        }
        return Select::make(mutate(op->value), lane_by_lane(one, op->type.lanes()),
                            lane_by_lane(zero, op->type.lanes()));
    }

    const Widths &widths_;
};

}  // namespace

Stmt with_distinct_broadcasts(const Stmt &statement) {
    Widths widths;
    statement.accept(&widths);
    return DistinctBroadcasts(widths).mutate(statement);
}

}  // namespace emulsion
