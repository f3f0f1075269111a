#include "autoscheduler/pinned_axes.h"

#include "autoscheduler/let_visitor.h"

namespace emulsion {

namespace {

using namespace Halide::Internal;

class Equalities : public LetVisitor {
public:
    explicit Equalities(const std::vector<std::string> &args)
        : pinned(args.size(), false), args_(args) {}

    std::vector<bool> pinned;

private:
    using LetVisitor::visit;

    void visit(const EQ *op) override {
        compare(op->a, op->b);
        LetVisitor::visit(op);
    }
    void visit(const NE *op) override {
        compare(op->a, op->b);
        LetVisitor::visit(op);
    }

    void compare(const Halide::Expr &a, const Halide::Expr &b) {
        const Halide::Expr left = without_lets(a), right = without_lets(b);
        for (size_t axis = 0; axis < args_.size(); axis++) {
            pinned[axis] = pinned[axis] || expr_uses_var(left, args_[axis]) ||
                           expr_uses_var(right, args_[axis]);
        }
    }

    const std::vector<std::string> &args_;
};

}  // namespace

std::vector<bool> pinned_axes(const std::vector<std::string> &args,
                              const std::vector<Halide::Expr> &expressions) {
    Equalities found(args);
    for (const Halide::Expr &e : expressions) {
        e.accept(&found);
    }
    return found.pinned;
}

}  // namespace emulsion
