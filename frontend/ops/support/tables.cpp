#include "frontend/ops/support/tables.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>

namespace emulsion {

using Halide::Expr;

namespace {

// The division (a * i + b) / c, rounded down.
struct Line {
    int64_t a = 0;
    int64_t b = 0;
    int64_t c = 1;
};

// Denominators that are tried. A scale with a larger one is rare.
constexpr int64_t kLargestDenominator = 128;

int64_t divide_down(int64_t dividend, int64_t divisor) {
    return dividend >= 0 ? dividend / divisor : -((-dividend + divisor - 1) / divisor);
}

// The offset b that is nearest to 0 among those with which a and c give `values`.
std::optional<Line> line_with(int64_t a, int64_t c, const std::vector<int> &values) {
    int64_t lowest = std::numeric_limits<int64_t>::min();
    int64_t highest = std::numeric_limits<int64_t>::max();
    for (size_t i = 0; i < values.size(); i++) {
        // c * value <= a * i + b < c * (value + 1)
        const int64_t least = c * values[i] - a * static_cast<int64_t>(i);
        lowest = std::max(lowest, least);
        highest = std::min(highest, least + c - 1);
    }
    if (lowest > highest) {
        return {};
    }
    const int64_t b = std::clamp<int64_t>(0, lowest, highest);
    const int64_t end = a * static_cast<int64_t>(values.size()) + b;
    const bool fits = std::max(std::abs(b), std::abs(end)) <= std::numeric_limits<int32_t>::max();
    return fits ? std::optional<Line>({a, b, c}) : std::nullopt;
}

std::optional<Line> find_line(const std::vector<int> &values) {
    const auto steps = static_cast<double>(std::max<size_t>(values.size() - 1, 1));
    const double slope = (static_cast<double>(values.back()) - values.front()) / steps;
    for (int64_t c = 1; c <= kLargestDenominator; c++) {
        // The ends of a staircase tell its slope up to one stair.
        const auto middle = static_cast<double>(c) * slope;
        const double slack = static_cast<double>(c) / steps;
        const auto first = static_cast<int64_t>(std::ceil(middle - slack));
        const auto last = static_cast<int64_t>(std::floor(middle + slack));
        for (int64_t a = first; a <= last; a++) {
            if (const auto line = line_with(a, c, values)) {
                return line;
            }
        }
    }
    return {};
}

}  // namespace

Expr integer_table(const std::vector<int> &values, const Expr &at, const std::string &name) {
    if (const auto line = find_line(values)) {
        Expr result = line->a == 1 ? at : at * static_cast<int>(line->a);
        if (line->b != 0) {
            result = result + static_cast<int>(line->b);
        }
        if (line->c != 1) {
            result = result / static_cast<int>(line->c);
        }
        return line->a == 0 ? Expr(static_cast<int>(divide_down(line->b, line->c))) : result;
    }
    Halide::Buffer<int> table(std::vector<int>{static_cast<int>(values.size())}, name);
    std::copy(values.begin(), values.end(), table.begin());
    table.set_host_dirty();  // or Halide's JIT leaves it where a GPU doesn't see it
    const auto [lowest, highest] = std::minmax_element(values.begin(), values.end());
    return Halide::clamp(table(at), *lowest, *highest);
}

Table real_table(const std::vector<double> &values, int64_t inner_count, Halide::Type type,
                 const std::string &name) {
    const auto inner_extent = static_cast<int>(inner_count);
    const int extent = static_cast<int>(values.size()) / inner_extent;
    const auto filled = [&](auto table) -> Table {
        using T = typename decltype(table)::ElemType;
        size_t next = 0;
        for (int i = 0; i < extent; i++) {
            for (int k = 0; k < inner_extent; k++) {
                table(i, k) = static_cast<T>(values[next++]);
            }
        }
        table.set_host_dirty();
        return [table](const Expr &at, const Expr &inner) { return table(at, inner); };
    };
    return type.bits() == 64 ? filled(Halide::Buffer<double, 2>({extent, inner_extent}, name))
                             : filled(Halide::Buffer<float, 2>({extent, inner_extent}, name));
}

}  // namespace emulsion
