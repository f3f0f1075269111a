// A visitor of expressions in which Halide has named what occurs twice (lets).
#pragma once

#include <Halide.h>

#include <string>
#include <utility>
#include <vector>

namespace emulsion {

class LetVisitor : public Halide::Internal::IRVisitor {
protected:
    using IRVisitor::visit;

    void visit(const Halide::Internal::Let *let) override {
        let->value.accept(this);
        lets_.emplace_back(let->name, let->value);
        let->body.accept(this);
        lets_.pop_back();
    }

    // `e`, a part of the expression that is being visited, with these names replaced.
    Halide::Expr without_lets(Halide::Expr e) const {
        for (auto it = lets_.rbegin(); it != lets_.rend(); ++it) {
            e = Halide::Internal::substitute(it->first, it->second, e);
        }
        return e;
    }

private:
    std::vector<std::pair<std::string, Halide::Expr>> lets_;  // around the expression being visited
};

}  // namespace emulsion
