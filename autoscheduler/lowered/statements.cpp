#include "autoscheduler/lowered/statements.h"

#include <algorithm>
#include <optional>
#include <utility>

namespace emulsion {

using namespace Halide;
using namespace Halide::Internal;

namespace {

// What is let around an expression.
class Lets {
public:
    void push(const std::string &name, const Expr &value) { lets_.emplace_back(name, value); }
    void pop() { lets_.pop_back(); }

    // The expression without them.
    Expr whole(Expr value) const {
        for (auto let = lets_.rbegin(); let != lets_.rend(); ++let) {
            value = substitute(let->first, let->second, value);
        }
        return simplify(value);
    }

private:
    std::vector<std::pair<std::string, Expr>> lets_;
};

// Counts the operations of an expression, and collects what it loads.
class ExprReader : public IRVisitor {
public:
    ExprReader(LoweredStatement &statement, const Lets &lets)
        : statement_(statement), lets_(lets) {}

    void add(const std::string &buffer, const Expr &index, const Type &type) {
        // More of them are alike: they come from unrolled loops.
        constexpr size_t kMostIndices = 16;
        LoweredAccess &access = statement_.accesses[buffer];
        access.times++;
        access.bytes = type.bytes();
        access.lanes = std::max(access.lanes, type.lanes());
        if (access.indices.size() < kMostIndices) {
            access.indices.push_back(lets_.whole(index));
        }
    }

private:
    using IRVisitor::visit;

    OperationCounts &counts(const Type &type) {
        return type.is_float() || type.is_bfloat() ? statement_.floats : statement_.integers;
    }

    // A product that is added is one operation with the sum.
    template<typename Op>
    void visit_sum(const Op *op) {
        const bool has_product =
            op->a.template as<Mul>() != nullptr || op->b.template as<Mul>() != nullptr;
        const double lanes = op->type.lanes();
        if (has_product) {
            counts(op->type).multiply_adds += lanes;
            counts(op->type).multiplies -= lanes;  // which visiting the product adds
        } else {
            counts(op->type).add_subs += lanes;
        }
        IRVisitor::visit(op);
    }

    template<typename Op>
    void visit_compare(const Op *op) {
        counts(op->a.type()).compares += op->type.lanes();
        IRVisitor::visit(op);
    }

    void visit(const Add *op) override { visit_sum(op); }
    void visit(const Sub *op) override { visit_sum(op); }
    void visit(const Mul *op) override {
        counts(op->type).multiplies += op->type.lanes();
        IRVisitor::visit(op);
    }
    void visit(const Div *op) override {
        counts(op->type).divides += op->type.lanes();
        IRVisitor::visit(op);
    }
    void visit(const Mod *op) override {
        counts(op->type).divides += op->type.lanes();
        IRVisitor::visit(op);
    }
    void visit(const Min *op) override {
        counts(op->type).compares += op->type.lanes();
        IRVisitor::visit(op);
    }
    void visit(const Max *op) override {
        counts(op->type).compares += op->type.lanes();
        IRVisitor::visit(op);
    }
    void visit(const EQ *op) override { visit_compare(op); }
    void visit(const NE *op) override { visit_compare(op); }
    void visit(const LT *op) override { visit_compare(op); }
    void visit(const LE *op) override { visit_compare(op); }
    void visit(const GT *op) override { visit_compare(op); }
    void visit(const GE *op) override { visit_compare(op); }
    void visit(const And *op) override {
        statement_.booleans += op->type.lanes();
        IRVisitor::visit(op);
    }
    void visit(const Or *op) override {
        statement_.booleans += op->type.lanes();
        IRVisitor::visit(op);
    }
    void visit(const Not *op) override {
        statement_.booleans += op->type.lanes();
        IRVisitor::visit(op);
    }
    void visit(const Select *op) override {
        statement_.selects += op->type.lanes();
        IRVisitor::visit(op);
    }
    void visit(const Call *op) override {
        const bool is_math = op->call_type == Call::PureExtern;
        (is_math ? counts(op->type).math_calls : counts(op->type).other_calls) += op->type.lanes();
        IRVisitor::visit(op);
    }
    void visit(const Load *op) override {
        add(op->name, op->index, op->type);
        statement_.accesses[op->name].reads = true;
        IRVisitor::visit(op);
    }

    LoweredStatement &statement_;
    const Lets &lets_;
};

class StatementReader : public IRVisitor {
public:
    std::vector<LoweredStatement> take() { return std::move(statements_); }

private:
    using IRVisitor::visit;

    struct Allocation {
        double bytes = 0.0;
        size_t loops = 0;
    };

    std::optional<int64_t> constant(const Expr &value) const {
        const auto known = as_const_int(value);
        return known ? known : as_const_int(lets_.whole(value));
    }

    template<typename Op>
    void visit_let(const Op *op) {
        // What has a load in it is no index that could be followed.
        class HasLoad : public IRVisitor {
        public:
            bool found = false;

        private:
            using IRVisitor::visit;
            void visit(const Load *) override { found = true; }
        } loads;
        op->value.accept(&loads);
        if (LoweredStatement *here = last()) {
            ExprReader reader(*here, lets_);
            op->value.accept(&reader);
        }
        if (!loads.found) {
            lets_.push(op->name, op->value);
        }
        op->body.accept(this);
        if (!loads.found) {
            lets_.pop();
        }
    }

    void visit(const LetStmt *op) override { visit_let(op); }

    void visit(const For *op) override {
        LoweredLoop loop{op->name, constant(op->extent).value_or(1), LoweredLoop::Kind::Serial};
        switch (op->for_type) {
        case ForType::Parallel: loop.kind = LoweredLoop::Kind::Parallel; break;
        case ForType::GPUBlock: loop.kind = LoweredLoop::Kind::Workgroup; break;
        case ForType::GPUThread:
        case ForType::GPULane: loop.kind = LoweredLoop::Kind::Thread; break;
        default: break;
        }
        loop.extent = std::max<int64_t>(loop.extent, 1);
        loop.number = ++loops_so_far_;
        loops_.push_back(loop);
        path_.push_back(loop.number);
        op->body.accept(this);
        loops_.pop_back();
        path_.pop_back();
    }

    void visit(const Allocate *op) override {
        double bytes = op->type.bytes();
        for (const Expr &extent : op->extents) {
            bytes *= static_cast<double>(constant(extent).value_or(1));
        }
        allocations_[op->name] = {bytes, loops_.size()};
        IRVisitor::visit(op);
    }

    void visit(const Store *op) override {
        // Of the same loops, whatever lies between.
        const auto key = std::pair(path_, op->name);
        const auto known = positions_.find(key);
        if (known == positions_.end()) {
            positions_[key] = statements_.size();
            LoweredStatement fresh;
            fresh.buffer = op->name;
            fresh.loops = loops_;
            if (const auto allocated = allocations_.find(op->name);
                allocated != allocations_.end()) {
                fresh.allocated_bytes = allocated->second.bytes;
                fresh.allocated_in = allocated->second.loops;
            }
            statements_.push_back(std::move(fresh));
        }
        LoweredStatement &statement = statements_[positions_[key]];
        statement.stores++;
        statement.lanes = std::max(statement.lanes, op->value.type().lanes());
        ExprReader reader(statement, lets_);
        reader.add(op->name, op->index, op->value.type());
        statement.accesses[op->name].writes = true;
        op->value.accept(&reader);
        op->index.accept(&reader);
    }

    // The statement that was begun last in these loops; null where there is none.
    LoweredStatement *last() {
        if (statements_.empty() || statements_.back().loops.size() != loops_.size()) {
            return nullptr;
        }
        return &statements_.back();
    }

    std::vector<LoweredStatement> statements_;
    std::map<std::pair<std::vector<int>, std::string>, size_t> positions_;
    std::vector<LoweredLoop> loops_;
    std::vector<int> path_;  // of every loop around, which one it is
    int loops_so_far_ = 0;
    Lets lets_;
    std::map<std::string, Allocation> allocations_;
};

}  // namespace

std::vector<LoweredStatement> lowered_statements(const Stmt &statement) {
    StatementReader reader;
    statement.accept(&reader);
    return reader.take();
}

}  // namespace emulsion
