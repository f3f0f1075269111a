#include "autoscheduler/templates/support/transformed_tile.h"

#include <algorithm>
#include <utility>

namespace emulsion {

namespace {

using namespace Halide::Internal;
using Halide::Expr;

// Elements of a tile, all of which are unrolled.
constexpr int64_t kMostTileElements = 64;

bool is_variable(const Expr &e, const std::string &name) {
    const auto *v = e.as<Variable>();
    return v != nullptr && v->name == name;
}

// By what `result` chooses among several expressions, and what it makes `rows` choose by.
std::vector<Expr> selectors_of(const FuncFacts &result, const FuncFacts &rows) {
    std::vector<Expr> selectors = result.selectors;
    for (const TensorAccess &access : result.accesses) {
        for (size_t i = 0; access.callee == rows.name && i < access.args.size(); i++) {
            const bool selects =
                std::any_of(rows.selectors.begin(), rows.selectors.end(),
                            [&](const Expr &e) { return is_variable(e, rows.args[i]); });
            if (selects) {
                selectors.push_back(access.args[i]);
            }
        }
    }
    return selectors;
}

// After how many elements along an axis of the result the choices are the same again: a remainder's divisor, or all;
// 0 where they don't depend on it.
int64_t period(const std::vector<Expr> &selectors, const std::string &axis, int64_t extent) {
    int64_t found = 0;
    for (const Expr &selector : selectors) {
        if (!expr_uses_var(selector, axis)) {
            continue;
        }
        const auto *remainder = selector.as<Mod>();
        const auto divisor = remainder != nullptr && is_variable(remainder->a, axis)
                                 ? as_const_int(remainder->b)
                                 : std::nullopt;
        found = std::max(found, divisor.value_or(extent));
    }
    return found;
}

// Every read of `rows` is at the result's own place along `column`.
bool has_column(const FuncFacts &result, const FuncFacts &rows, const std::string &column) {
    const auto own = std::find(rows.args.begin(), rows.args.end(), column) - rows.args.begin();
    return own < std::ssize(rows.args) &&
           std::all_of(result.accesses.begin(), result.accesses.end(),
                       [&](const TensorAccess &access) {
                           return access.callee != rows.name ||
                                  is_variable(access.args[static_cast<size_t>(own)], column);
                       });
}

}  // namespace

std::vector<int64_t> TransformedTile::extents(size_t rank) const {
    std::vector<int64_t> tile(rank, 1);
    tile.at(static_cast<size_t>(width_axis)) = width;
    if (height_axis >= 0) {
        tile.at(static_cast<size_t>(height_axis)) = height;
    }
    return tile;
}

std::optional<std::vector<int64_t>> rows_of_tile(const FuncFacts &result, const std::string &rows,
                                                 const std::vector<int64_t> &tile) {
    Scope<Interval> scope;
    for (size_t axis = 0; axis < tile.size(); axis++) {
        scope.push(result.args[axis], Interval(0, static_cast<int>(tile[axis]) - 1));
    }
    std::vector<Interval> needed;
    for (const TensorAccess &access : result.accesses) {
        for (size_t i = 0; access.callee == rows && i < access.args.size(); i++) {
            const Interval range = bounds_of_expr_in_scope(access.args[i], scope);
            if (needed.size() <= i) {
                needed.push_back(range);
            } else {
                needed[i].include(range);
            }
        }
    }
    std::vector<int64_t> extents;
    for (const Interval &range : needed) {
        const auto extent =
            range.is_bounded() ? as_const_int(simplify(range.max - range.min + 1)) : std::nullopt;
        if (!extent) {
            return std::nullopt;
        }
        extents.push_back(*extent);
    }
    return extents;
}

std::optional<TransformedTile> transformed_tile(const NestSubject &subject) {
    if (subject.parts.size() != 2 || subject.parts[0].is_reduction() ||
        subject.parts[1].is_reduction()) {
        return std::nullopt;
    }
    const FuncFacts &rows = subject.parts[0], &result = subject.result();
    if (rows.selectors.empty() || result.selectors.empty()) {
        return std::nullopt;
    }
    const std::vector<Expr> selectors = selectors_of(result, rows);
    TransformedTile tile;
    for (const int axis : subject.natural_order) {
        const auto i = static_cast<size_t>(axis);
        const int64_t along = period(selectors, result.args[i], subject.extents[i]);
        if (along == 0 && has_column(result, rows, result.args[i])) {
            tile.column_axis = axis;
        }
        if (along == 0) {
            continue;
        }
        if (tile.height_axis >= 0) {
            return std::nullopt;
        }
        // The last one is the width.
        tile.height_axis = std::exchange(tile.width_axis, axis);
        tile.height = std::exchange(tile.width, along);
    }
    const bool fits = tile.column_axis >= 0 && tile.width_axis >= 0 &&
                      tile.width <= kMostTileElements &&
                      tile.height <= kMostTileElements / tile.width &&
                      rows_of_tile(result, rows.name, tile.extents(result.args.size()));
    return fits ? std::make_optional(tile) : std::nullopt;
}

}  // namespace emulsion
