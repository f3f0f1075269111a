// Lists of numbers that an operator knows at compile time, as functions of a coordinate.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "frontend/ops/operator.h"

namespace emulsion {

// values[at], where `at` lies in 0 .. values.size()-1: (a * at + b) / c if that gives every value,
// which tells what is read; else an element of a table called `name` in the code. One call for one name.
Halide::Expr integer_table(const std::vector<int> &values, const Halide::Expr &at,
                           const std::string &name);

// An element of a table by two coordinates.
using Table = std::function<Halide::Expr(const Halide::Expr &at, const Halide::Expr &inner)>;

// values[at * inner_count + inner] as a number of `type`, from a table called `name` in the code. Rows
// lie so that vectors along `at` are dense. One call for one name: Halide wants names to be unique.
Table real_table(const std::vector<double> &values, int64_t inner_count, Halide::Type type,
                 const std::string &name);

}  // namespace emulsion
