#include "frontend/ops/support/coordinates.h"

#include <cassert>
#include <limits>

#include <fmt/format.h>

#include "frontend/ops/support/checks.h"

namespace emulsion {

using Halide::Expr;

std::vector<Halide::Var> axes(int rank) {
    if (rank == 4) {
        return {Halide::Var("n"), Halide::Var("c"), Halide::Var("h"), Halide::Var("w")};
    }
    std::vector<Halide::Var> vars;
    for (int i = 0; i < rank; i++) {
        vars.emplace_back("i" + std::to_string(i));
    }
    return vars;
}

std::vector<Expr> to_exprs(const std::vector<Halide::Var> &vars) {
    return {vars.begin(), vars.end()};
}

std::vector<Expr> broadcast(const std::vector<Expr> &at, const std::vector<int64_t> &from,
                            const std::vector<int64_t> &to) {
    assert(at.size() == to.size() && can_broadcast(from, to));
    const size_t missing = to.size() - from.size();
    std::vector<Expr> result;
    for (size_t i = 0; i < from.size(); i++) {
        // An axis of extent 1 on both sides keeps the variable: the edge stays one-to-one.
        result.push_back(from[i] == to[missing + i] ? at[missing + i] : Expr(0));
    }
    return result;
}

namespace {

// Axes from `first` on of more than one element: those of extent 1 carry no information.
std::vector<size_t> proper_axes(const std::vector<int64_t> &shape, size_t first) {
    std::vector<size_t> result;
    for (size_t i = first; i < shape.size(); i++) {
        if (shape[i] != 1) {
            result.push_back(i);
        }
    }
    return result;
}

}  // namespace

std::vector<Expr> reshape(const std::vector<Expr> &at, const std::vector<int64_t> &from,
                          const std::vector<int64_t> &to) {
    std::vector<Expr> result(from.size(), Expr(0));
    // Leading axes that both sides share keep their variable, whatever their extent.
    size_t shared = 0;
    while (shared < from.size() && shared < to.size() && from[shared] == to[shared]) {
        result[shared] = at[shared];
        shared++;
    }
    const std::vector<size_t> from_axes = proper_axes(from, shared);
    const std::vector<size_t> to_axes = proper_axes(to, shared);
    size_t f = 0;
    size_t t = 0;
    while (t < to_axes.size()) {
        // The shortest runs of axes on both sides that hold equally many elements.
        const size_t first_f = f;
        const size_t first_t = t;
        int64_t from_count = from[from_axes.at(f++)];
        int64_t to_count = to[to_axes[t++]];
        while (from_count != to_count) {
            if (from_count < to_count) {
                from_count *= from[from_axes.at(f++)];
            } else {
                to_count *= to[to_axes.at(t++)];
            }
        }
        Expr flat = at[to_axes[first_t]];
        for (size_t i = first_t + 1; i < t; i++) {
            flat = flat * static_cast<int>(to[to_axes[i]]) + at[to_axes[i]];
        }
        int64_t stride = 1;
        for (size_t i = f; i-- > first_f;) {
            const int64_t extent = from[from_axes[i]];
            Expr coordinate = flat;
            if (stride != 1) {
                coordinate = coordinate / static_cast<int>(stride);
            }
            if (i != first_f) {
                coordinate = coordinate % static_cast<int>(extent);
            }
            result[from_axes[i]] = coordinate;
            stride *= extent;
        }
    }
    return result;
}

Halide::Func build_reshape(OperatorContext &context) {
    const Access x = context.operand(0);
    const std::vector<int64_t> to = context.result_shape();
    const std::vector<Halide::Var> v = axes(static_cast<int>(to.size()));
    Halide::Func result = context.func("");
    result(v) = x(reshape(to_exprs(v), context.input_shape(0), to));
    return result;
}

void check_reshape(const OperatorContext &context, const std::vector<int64_t> &to) {
    const std::vector<int64_t> from = context.input_shape(0);
    const int64_t count = count_elements(context, from);
    if (count != count_elements(context, to)) {
        refuse(context, fmt::format("shape {} can't become {}: the numbers of elements differ",
                                    to_string(from), to_string(to)));
    }
    require_output(context, to);
    // The flattened index is a 32-bit integer.
    if (count > std::numeric_limits<int32_t>::max()) {
        refuse(context, fmt::format("{} has {} elements; at most 2^31-1 are supported",
                                    describe_input(context, 0), count));
    }
}

}  // namespace emulsion
