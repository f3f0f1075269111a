#include "frontend/ops/support/position.h"

namespace emulsion {

using Halide::Expr;
using Halide::Func;

namespace {

constexpr int64_t kPositions = int64_t{1} << 32;  // a key has the position in its low half

// `x` as a signed integer of its size, in the same order; 0 and -0 are equal.
Expr ordered(const Expr &x) {
    const Halide::Type type = Halide::Int(x.type().bits());
    const Expr zero = Halide::Internal::make_zero(type);
    if (x.type().is_uint()) {
        return Halide::reinterpret(type, x) ^ type.min();
    }
    if (!x.type().is_float()) {
        return x;
    }
    // A sign and a magnitude.
    const Expr bits = Halide::reinterpret(type, x);
    return Halide::select(bits < zero, -(bits & type.max()), bits);
}

// Of a greater number the complement is less, and every number has one.
Expr rising(const Expr &x, Extreme extreme) {
    return extreme == Extreme::Largest ? ordered(x) : ~ordered(x);
}

// The greatest, or 'none', among the candidates that count.
Func greatest(OperatorContext &context, const std::string &part,
              const std::vector<Halide::Var> &kept, const Candidate &candidate, const Expr &value) {
    const Expr none = value.type().min();
    Func result = context.func(part);
    result(kept) = none;
    const Expr counted =
        candidate.counts.defined() ? Halide::select(candidate.counts, value, none) : value;
    result(kept) = Halide::max(result(kept), counted);
    return result;
}

}  // namespace

// An element that is computed twice, by different code, may be rounded in two ways: then none of the second
// time equals the extreme of the first. So the extreme carries its position along, where both fit into 64
// bits. Wider elements are compared as integers, which at least keeps the comparison from being merged with
// what computes them.
Expr position_of_extreme(OperatorContext &context, const std::vector<Halide::Var> &kept,
                         const std::function<Candidate()> &candidate, int count, Extreme extreme,
                         bool last) {
    const auto rank = [&](const Expr &position) { return last ? position : count - 1 - position; };
    const Candidate first = candidate();
    Expr best;
    if (first.element.type().bits() <= 32) {
        const auto wide = [](const Expr &e) { return Halide::cast<int64_t>(e); };
        const Expr positions = Halide::Internal::make_const(Halide::Int(64), kPositions);
        const Expr key =
            wide(rising(first.element, extreme)) * positions + wide(rank(first.position));
        const Func keys = greatest(context, "key", kept, first, key);
        best = Halide::cast<int>(keys(kept) &
                                 Halide::Internal::make_const(Halide::Int(64), kPositions - 1));
    } else {
        const Func value = greatest(context, "value", kept, first, rising(first.element, extreme));
        const Candidate again = candidate();
        const Expr matches = rising(again.element, extreme) == value(kept);
        best = greatest(context, "position", kept, again,
                        Halide::select(matches, rank(again.position), -1))(kept);
    }
    // Where no element counts, any position will do.
    return rank(Halide::clamp(best, 0, count - 1));
}

}  // namespace emulsion
