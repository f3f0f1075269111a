#include "frontend/ops/support/convert.h"

#include <gtest/gtest.h>

#include "frontend/ops/support/integer_arithmetic.h"

namespace emulsion {
namespace {

using Halide::Expr;
using Halide::Type;

// Types that reals are converted to somewhere in an expression.
class ConversionsOfReals : public Halide::Internal::IRGraphVisitor {
public:
    std::vector<Type> types;

private:
    using IRGraphVisitor::visit;
    void visit(const Halide::Internal::Cast *op) override {
        if (op->value.type().is_float() && !op->type.is_float()) {
            types.push_back(op->type);
        }
        IRGraphVisitor::visit(op);
    }
};

std::vector<Type> conversions_of_reals(const Expr &e) {
    ConversionsOfReals found;
    Halide::Internal::simplify(e).accept(&found);
    return found.types;
}

const std::vector<Type> kIntegers = {Halide::Int(8),   Halide::UInt(8), Halide::Int(16),
                                     Halide::UInt(16), Halide::Int(32), Halide::UInt(32),
                                     Halide::Int(64),  Halide::UInt(64)};

Type signed_type(const Type &to) {
    return Halide::Int(to.bits() == 64 || to == Halide::UInt(32) ? 64 : 32);
}

void expect_conversion_to(const Type &to, const Expr &e) {
    for (const Type &found : conversions_of_reals(e)) {
        EXPECT_TRUE(found == signed_type(to) || (to == Halide::UInt(64) && found == to))
            << found << " in " << Halide::Internal::simplify(e);
    }
}

TEST(Convert, OfRealsIsNotMergedWithAnotherConversion) {
    for (const Type &from : {Halide::Float(32), Halide::Float(64)}) {
        const Expr x = Halide::Internal::Variable::make(from, "x");
        for (const Type &to : kIntegers) {
            for (const Type &next : kIntegers) {
                SCOPED_TRACE(testing::Message() << from << " to " << to << " to " << next);
                expect_conversion_to(to, Halide::cast(next, convert(x, to)));
            }
        }
    }
}

TEST(Convert, OfRealsIsNotMergedWithArithmeticThatWrapsAround) {
    const Expr x = Halide::Internal::Variable::make(Halide::Float(32), "x");
    for (const Type &to : kIntegers) {
        SCOPED_TRACE(testing::Message() << to);
        const Expr y = Halide::Internal::Variable::make(to, "y");
        const Expr converted = convert(x, to);
        expect_conversion_to(to, wrapping_add(converted, y));
        expect_conversion_to(to, wrapping_add(converted, converted));
        expect_conversion_to(to, wrapping_subtract(y, converted));
        expect_conversion_to(to, wrapping_multiply(converted, converted));
    }
}

}  // namespace
}  // namespace emulsion
