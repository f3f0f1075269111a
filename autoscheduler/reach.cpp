#include "autoscheduler/reach.h"

#include <algorithm>
#include <map>
#include <optional>
#include <utility>

namespace emulsion {

namespace {

using namespace Halide::Internal;
using Halide::Expr;

constexpr AxisReach kWhole{.whole = true};

// The elements that a single index visits while the reduction runs: first and last.
std::optional<std::pair<int64_t, int64_t>> visited(const FuncFacts &facts, const Expr &index) {
    Scope<Interval> scope;
    for (const ReductionLoop &loop : facts.reduction) {
        if (loop.extent > 0) {
            scope.push(loop.name, Interval(0, static_cast<int>(loop.extent) - 1));
        }
    }
    const Interval range = bounds_of_expr_in_scope(index, scope);
    if (!range.is_bounded()) {
        return std::nullopt;
    }
    const auto first = as_const_int(simplify(range.min)), last = as_const_int(simplify(range.max));
    return first && last ? std::make_optional(std::make_pair(*first, *last)) : std::nullopt;
}

// One index of one access, and where its window begins for the element 0.
struct IndexReach {
    AxisReach reach;
    int64_t first = 0;
};

// An index that is a coordinate of the result, shifted and divided.
struct Division {
    int64_t divisor = 1;
    // A multiple of the divisor need not be the first coordinate with its quotient.
    bool begins_anywhere = false;
};

Division division_of(const Expr &index) {
    const auto *division = index.as<Div>();
    if (division == nullptr) {
        return {};
    }
    const Expr &dividend = division->a;
    const auto *sum = dividend.as<Add>();
    const Expr &coordinate = sum != nullptr ? sum->a : dividend;
    const auto shift = sum != nullptr ? as_const_int(sum->b) : 0;
    const auto divisor = as_const_int(division->b);
    if (coordinate.as<Variable>() == nullptr || !shift || !divisor || *divisor <= 1) {
        return {};
    }
    return {*divisor, *shift % *divisor != 0};
}

// What is kept inside of constant limits, without them: at most a few elements at the ends differ.
Expr without_limits(Expr index) {
    const auto other = [](const auto *limited) {
        return as_const_int(limited->b) ? limited->a : Expr();
    };
    for (Expr inner = index; inner.defined();) {
        index = inner;
        const auto *least = index.as<Max>();
        const auto *most = index.as<Min>();
        inner = least != nullptr ? other(least) : most != nullptr ? other(most) : Expr();
    }
    return index;
}

// All of an axis, of which an index that isn't affine chooses the element.
IndexReach chosen(const FuncFacts &facts, const Expr &moving) {
    IndexReach result{kWhole, 0};
    const Expr free = without_limits(moving);
    for (size_t axis = 0; axis < facts.args.size(); axis++) {
        if (expr_uses_var(moving, facts.args[axis])) {
            if (result.reach.gathered_along >= 0 || coefficient(free, facts.args[axis])) {
                return {kWhole, 0};
            }
            result.reach.gathered_along = static_cast<int>(axis);
        }
    }
    return result;
}

IndexReach reach_of_index(const FuncFacts &facts, const Expr &index) {
    IndexReach result;
    std::map<std::string, Expr> origin;
    const Expr moving = without_choices(index);
    const Division division = division_of(index);
    for (size_t axis = 0; axis < facts.args.size(); axis++) {
        const std::string &variable = facts.args[axis];
        if (!expr_uses_var(moving, variable)) {
            continue;
        }
        const auto stride =
            division.divisor > 1 ? std::make_optional<int64_t>(1) : coefficient(moving, variable);
        if (!stride || *stride <= 0 || result.reach.axis >= 0) {
            return chosen(facts, moving);
        }
        result.reach.axis = static_cast<int>(axis);
        result.reach.stride = *stride;
        result.reach.divisor = division.divisor;
        origin[variable] = 0;
    }
    const auto range = visited(facts, substitute(origin, index));
    if (!range) {
        return {kWhole, 0};
    }
    result.first = range->first;
    result.reach.window = range->second - range->first + 1 + (division.begins_anywhere ? 1 : 0);
    return result;
}

// Of several reads of one axis: what covers all of them.
IndexReach together(const IndexReach &a, const IndexReach &b) {
    if (a.reach.whole && a.reach == b.reach) {
        return a;
    }
    if (a.reach.whole || b.reach.whole || a.reach.axis != b.reach.axis ||
        a.reach.stride != b.reach.stride || a.reach.divisor != b.reach.divisor) {
        return {kWhole, 0};
    }
    IndexReach result = a;
    result.first = std::min(a.first, b.first);
    result.reach.window =
        std::max(a.first + a.reach.window, b.first + b.reach.window) - result.first;
    return result;
}

// What `facts` itself reads of `tensor`; empty if nothing.
std::vector<IndexReach> direct(const FuncFacts &facts, const std::string &tensor) {
    std::vector<IndexReach> result;
    for (const TensorAccess &access : facts.accesses) {
        if (access.callee != tensor) {
            continue;
        }
        for (size_t i = 0; i < access.args.size(); i++) {
            const IndexReach reach = reach_of_index(facts, access.args[i]);
            if (i == result.size()) {
                result.push_back(reach);
            } else {
                result[i] = together(result[i], reach);
            }
        }
    }
    return result;
}

// A reader's reach into a part, and the part's into a tensor, in one.
AxisReach through(const Footprint &part, const AxisReach &inner) {
    if (inner.whole) {
        return kWhole;
    }
    if (inner.axis < 0) {
        return inner;
    }
    const AxisReach &outer = part.axes.at(static_cast<size_t>(inner.axis));
    if (outer.whole || inner.divisor > 1) {
        return kWhole;
    }
    return {outer.axis, outer.stride * inner.stride,
            (outer.window - 1) * inner.stride + inner.window, false, outer.divisor};
}

}  // namespace

std::optional<int64_t> coefficient(const Expr &index, const std::string &variable) {
    const Expr next = substitute(variable, Variable::make(Halide::Int(32), variable) + 1, index);
    return as_const_int(simplify(next - index));
}

Footprint footprint_of(const std::vector<FuncFacts> &parts, const std::string &tensor,
                       size_t rank) {
    std::vector<Footprint> ways;
    for (size_t i = 0; i < parts.size(); i++) {
        const std::vector<IndexReach> reads = direct(parts[i], tensor);
        if (reads.empty()) {
            continue;
        }
        Footprint way;
        const bool result = i + 1 == parts.size();
        const Footprint part =
            result ? Footprint{} : footprint_of(parts, parts[i].name, parts[i].args.size());
        for (const IndexReach &read : reads) {
            way.axes.push_back(result ? read.reach : through(part, read.reach));
        }
        ways.push_back(way);
    }
    if (ways.empty()) {
        return {std::vector<AxisReach>(rank, kWhole)};
    }
    // Several ways may begin at different places: where they differ, all of the axis.
    Footprint all = ways.front();
    for (const Footprint &way : ways) {
        for (size_t i = 0; i < all.axes.size(); i++) {
            if (!(all.axes[i] == way.axes.at(i))) {
                all.axes[i] = kWhole;
            }
        }
    }
    return all;
}

}  // namespace emulsion
