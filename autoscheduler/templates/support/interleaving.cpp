#include "autoscheduler/templates/support/interleaving.h"

#include <set>

namespace emulsion {

namespace {

using namespace Halide::Internal;

// More vectors at a time would not stay in registers.
constexpr int64_t kMostInterleaved = 4;

// By which constants expressions divide sums that a variable is part of.
class Divisors : public IRGraphVisitor {
public:
    explicit Divisors(std::string variable) : variable_(std::move(variable)) {}

    std::set<int64_t> found;

private:
    using IRGraphVisitor::visit;

    void visit(const Div *op) override { division(op); }
    void visit(const Mod *op) override { division(op); }

    template<typename Division>
    void division(const Division *op) {
        const auto by = as_const_int(op->b);
        if (by && op->type.is_int() && expr_uses_var(op->a, variable_)) {
            found.insert(*by);
        }
        IRGraphVisitor::visit(op);
    }

    std::string variable_;
};

}  // namespace

int64_t interleaved_columns(const NestSubject &subject, int axis) {
    const FuncFacts &result = subject.result();
    const auto dimension = static_cast<size_t>(axis);
    if (axis < 0 || dimension >= result.args.size() || dimension >= subject.extents.size()) {
        return 1;
    }
    Divisors divisors(result.args[dimension]);
    for (const TensorAccess &access : result.accesses) {
        for (const Halide::Expr &index : access.args) {
            index.accept(&divisors);
        }
    }
    if (divisors.found.size() != 1) {
        return 1;
    }
    const int64_t steps = *divisors.found.begin();
    return steps > 1 && steps <= kMostInterleaved && subject.extents[dimension] % steps == 0 ? steps
                                                                                             : 1;
}

}  // namespace emulsion
