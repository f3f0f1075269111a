#include <algorithm>
#include <cmath>

#include "frontend/ops/support/checks.h"
#include "frontend/ops/support/winograd.h"

namespace emulsion {

using Halide::Expr;

namespace {

// Points that are small and not too near to each other keep the numbers of a transform small: with 5/8 and 3/2 sums of
// 4 x 4 tiles round to half the errors that 1 and 2 give.
const std::vector<WinogradTile> &known_tiles() {
    static const std::vector<WinogradTile> tiles = {{2, {1.0}}, {4, {0.625, 1.5}}};
    return tiles;
}

// The product of x^2 - p^2 over all points but `left_out`, as the factors of x^0, x^2, x^4, ...
std::vector<double> even_product(const std::vector<double> &points, size_t left_out) {
    std::vector<double> product{1.0};
    for (size_t i = 0; i < points.size(); i++) {
        if (i == left_out) {
            continue;
        }
        std::vector<double> next(product.size() + 1, 0.0);
        for (size_t power = 0; power < product.size(); power++) {
            next[power] -= product[power] * points[i] * points[i];
            next[power + 1] += product[power];
        }
        product = next;
    }
    return product;
}

// One term of every row of a transform: a factor of what lies at an index.
struct Term {
    std::vector<int> index;
    std::vector<double> factor;
};

Expr chosen(const Expr &row, const std::vector<double> &of_rows, Halide::Type type) {
    std::vector<Expr> numbers;
    for (const double number : of_rows) {
        numbers.push_back(Halide::cast(type, Expr(number)));
    }
    return Halide::mux(row, numbers);
}

Expr chosen(const Expr &row, const std::vector<int> &of_rows) {
    return Halide::mux(row, std::vector<Expr>(of_rows.begin(), of_rows.end()));
}

bool are_all(const std::vector<double> &of_rows, double number) {
    return std::all_of(of_rows.begin(), of_rows.end(), [&](double n) { return n == number; });
}

Expr scaled(const Expr &row, const std::vector<double> &factors, const Expr &e) {
    return are_all(factors, 1.0) ? e : chosen(row, factors, e.type()) * e;
}

Expr sum_of(const Expr &row, const std::vector<Term> &terms, const AlongTile &element) {
    Expr sum;
    for (const Term &term : terms) {
        const Expr part = scaled(row, term.factor, element(chosen(row, term.index)));
        sum = sum.defined() ? sum + part : part;
    }
    return sum;
}

// B' as two sums of as many terms as there are points, of which the second one has a sign.
struct InputRows {
    std::vector<Term> first, second;
    std::vector<double> sign;
};

InputRows input_rows(const WinogradTile &tile) {
    const size_t count = tile.points.size();
    InputRows rows{std::vector<Term>(count), std::vector<Term>(count), {}};
    const auto add = [](Term &term, size_t index, double factor) {
        term.index.push_back(static_cast<int>(index));
        term.factor.push_back(factor);
    };
    // Of 0 (from x^0 on) and of infinity (from x^1 on): the product over all points.
    const auto add_end = [&](size_t least) {
        const std::vector<double> all = even_product(tile.points, count);
        for (size_t i = 0; i < count; i++) {
            add(rows.first[i], least + 2 * i + 2, all[i + 1]);
            add(rows.second[i], least, i == 0 ? all[0] : 0.0);
        }
        rows.sign.push_back(1.0);
    };
    add_end(0);
    for (size_t point = 0; point < count; point++) {
        const std::vector<double> others = even_product(tile.points, point);
        for (const double sign : {1.0, -1.0}) {
            for (size_t i = 0; i < count; i++) {
                add(rows.first[i], 2 * i + 2, others[i]);
                add(rows.second[i], 2 * i + 1, tile.points[point] * others[i]);
            }
            rows.sign.push_back(sign);
        }
    }
    add_end(1);
    return rows;
}

}  // namespace

std::vector<std::array<double, kWinogradTaps>> WinogradTile::weight_rows() const {
    std::vector<double> finite{0.0};
    for (const double point : points) {
        finite.insert(finite.end(), {point, -point});
    }
    std::vector<std::array<double, kWinogradTaps>> rows;
    for (const double at : finite) {
        double others = 1.0;
        for (const double other : finite) {
            others *= other == at ? 1.0 : at - other;
        }
        rows.push_back({1.0 / others, at / others, at * at / others});
    }
    rows.push_back({0.0, 0.0, 1.0});
    return rows;
}

const WinogradTile *find_winograd_tile(int64_t results) {
    for (const WinogradTile &tile : known_tiles()) {
        if (tile.results == results) {
            return &tile;
        }
    }
    return nullptr;
}

const WinogradTile &winograd_tile(const OperatorContext &context) {
    const int64_t results = context.node().integer("tile", 0);
    if (const WinogradTile *tile = find_winograd_tile(results)) {
        return *tile;
    }
    refuse(context, "there are no tiles of " + std::to_string(results) + " results along an axis");
}

Expr winograd_input_row(const WinogradTile &tile, const Expr &row, const AlongTile &element,
                        Halide::Type type) {
    InputRows rows = input_rows(tile);
    const Expr first = sum_of(row, rows.first, element);
    if (tile.points.size() > 1) {
        return first + chosen(row, rows.sign, type) * sum_of(row, rows.second, element);
    }
    for (size_t i = 0; i < rows.sign.size(); i++) {
        rows.second.front().factor[i] *= rows.sign[i];
    }
    return first + sum_of(row, rows.second, element);
}

Expr winograd_output_row(const WinogradTile &tile, const Expr &row, const AlongTile &place,
                         Halide::Type type) {
    // Row i takes every point's i-th power; the first row takes 0, and the last one infinity.
    const auto count = static_cast<size_t>(tile.results);
    Term end{std::vector<int>(count, 0), std::vector<double>(count, 0.0)};
    end.factor.front() = end.factor.back() = 1.0;
    end.index.back() = static_cast<int>(tile.window()) - 1;
    std::vector<double> sign;
    for (size_t i = 0; i < count; i++) {
        sign.push_back(i % 2 == 0 ? 1.0 : -1.0);
    }
    Expr sum = sum_of(row, {end}, place);
    for (size_t point = 0; point < tile.points.size(); point++) {
        std::vector<double> powers;
        for (size_t i = 0; i < count; i++) {
            powers.push_back(std::pow(tile.points[point], static_cast<double>(i)));
        }
        const auto at = static_cast<int>(2 * point + 1);
        sum += scaled(row, powers, place(at) + chosen(row, sign, type) * place(at + 1));
    }
    return sum;
}

}  // namespace emulsion
