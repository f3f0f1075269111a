// Reading a nest's parameters with checks, and offering them with candidates.
#pragma once

#include <string>
#include <vector>

#include "autoscheduler/templates/template.h"

namespace emulsion {

// A parameter that must be there and lie in [low, high]; throws Error otherwise.
int parameter(const Nest &nest, const std::string &name, int64_t low, int64_t high);
// An axis of a Func of `rank` dimensions; throws Error otherwise.
int axis_parameter(const Nest &nest, const std::string &name, int rank);
// An axis or -1 (none).
int optional_axis_parameter(const Nest &nest, const std::string &name, int rank);

NestParameter fixed(const std::string &name, const std::string &unit, int64_t value);
// Candidates low, 2*low, ... up to high, and `preferred` itself.
NestParameter ranged(const std::string &name, const std::string &unit, int64_t low, int64_t high,
                     int64_t preferred);

// Largest power of two that is <= n (n >= 1).
int64_t floor_power_of_two(int64_t n);

// How to cut `rows` steps of equal work into parallel tasks: rows per task, so that the tasks of
// `outer` independent repetitions keep `threads` workers evenly busy while no task gets smaller
// than `least_rows`.
int64_t rows_per_task(int64_t rows, int64_t outer, int threads, int64_t least_rows = 1);

}  // namespace emulsion
