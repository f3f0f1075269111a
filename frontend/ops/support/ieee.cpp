#include "frontend/ops/support/ieee.h"

namespace emulsion {

using Halide::Expr;
using Halide::Internal::Call;
using Halide::Internal::make_const;

namespace {

// Integers of x's size.
Halide::Type bits_type(const Expr &x) { return Halide::UInt(x.type().bits()); }

Expr bits(const Expr &x) { return Halide::reinterpret(bits_type(x), x); }

Expr bits_of_infinity(const Expr &x) {
    return x.type().bits() == 32 ? make_const(bits_type(x), uint64_t{0x7f800000})
                                 : make_const(bits_type(x), uint64_t{0x7ff0000000000000});
}

Expr sign_bit(const Expr &x) {
    return make_const(bits_type(x), uint64_t{1} << (x.type().bits() - 1));
}

// This operation alone: strict_float makes all of its operands strict, too, whose sums of products then take two
// instructions.
Expr strict(Call::IntrinsicOp operation, const Halide::Type &type, const Expr &a, const Expr &b) {
    return Call::make(type, operation, {a, b}, Call::PureIntrinsic);
}

Expr strict(Call::IntrinsicOp operation, const Expr &a, const Expr &b) {
    return strict(operation, a.type(), a, b);
}

Expr strict_comparison(Call::IntrinsicOp operation, const Expr &a, const Expr &b) {
    return strict(operation, Halide::Bool(a.type().lanes()), a, b);
}

}  // namespace

Expr is_not_a_number(const Expr &x) { return (bits(x) & ~sign_bit(x)) > bits_of_infinity(x); }

Expr is_positive_infinity(const Expr &x) { return bits(x) == bits_of_infinity(x); }

Expr is_negative_infinity(const Expr &x) { return bits(x) == (bits_of_infinity(x) | sign_bit(x)); }

Expr choose(const Expr &condition, const Expr &a, const Expr &b) {
    if (!a.type().is_float()) {
        return Halide::select(condition, a, b);
    }
    return Halide::reinterpret(a.type(), Halide::select(condition, bits(a), bits(b)));
}

Expr equal(const Expr &a, const Expr &b) {
    return a.type().is_float() ? strict_comparison(Call::strict_eq, a, b) : a == b;
}

Expr less(const Expr &a, const Expr &b) {
    return a.type().is_float() ? strict_comparison(Call::strict_lt, a, b) : a < b;
}

// Halide turns a <= b into !(b < a), which is true for NaN.
Expr less_equal(const Expr &a, const Expr &b) {
    return a.type().is_float() ? less(a, b) || equal(a, b) : a <= b;
}

// The strict minimum of a and b is a < b ? a : b, hence b where one of them is NaN.
Expr at_most(const Expr &x, const Expr &limit) {
    return x.type().is_float() ? strict(Call::strict_min, limit, x) : Halide::min(limit, x);
}

Expr at_least(const Expr &x, const Expr &limit) {
    return x.type().is_float() ? strict(Call::strict_max, limit, x) : Halide::max(limit, x);
}

Expr minimum(const Expr &a, const Expr &b) {
    return a.type().is_float() ? choose(is_not_a_number(a), a, at_most(b, a)) : Halide::min(a, b);
}

Expr maximum(const Expr &a, const Expr &b) {
    return a.type().is_float() ? choose(is_not_a_number(a), a, at_least(b, a)) : Halide::max(a, b);
}

Expr strict_sum(const Expr &a, const Expr &b) { return strict(Call::strict_add, a, b); }

Expr strict_difference(const Expr &a, const Expr &b) { return strict(Call::strict_sub, a, b); }

Expr strict_product(const Expr &a, const Expr &b) { return strict(Call::strict_mul, a, b); }

Expr strict_quotient(const Expr &a, const Expr &b) { return strict(Call::strict_div, a, b); }

}  // namespace emulsion
