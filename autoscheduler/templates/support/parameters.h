// Reading a nest's parameters, and saying which values they may have.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "autoscheduler/templates/template.h"

namespace emulsion {

// A parameter's value. Nests are checked against their template's bounds before they are applied: it throws
// Error only where the nest lacks it, and `otherwise` where that may be.
int parameter(const Nest &nest, const std::string &name);
int parameter(const Nest &nest, const std::string &name, int otherwise);

// Parameters as bounds have them, preferred at their least value or what `prefer` and `narrow` say.
NestParameter axis_parameter(const std::string &name, int rank);
NestParameter optional_axis_parameter(const std::string &name, int rank);
NestParameter count_parameter(const std::string &name, const std::string &unit, int64_t least,
                              int64_t most);
NestParameter flag_parameter(const std::string &name);

// Makes a parameter of the space prefer a value, and with `least` and `most` its domain smaller, where the
// preferred value still is in it.
void prefer(NestSpace &space, const std::string &name, int64_t value);
void narrow(NestSpace &space, const std::string &name, int64_t value, int64_t least, int64_t most);
// It can only have this value.
void fix(NestSpace &space, const std::string &name, int64_t value);
// Its nests don't have this one.
void leave_out(NestSpace &space, const std::string &name);

// Completes the space of a template that has one nest for an operator that is a group's root, and perhaps another
// where its rows are computed one at a time: prices both by `model`, and any other point where somebody asks.
void set_points(NestSpace &space, std::shared_ptr<const NestModel> model, const Machine &machine,
                const Nest &single_rows);
void set_points(NestSpace &space, std::shared_ptr<const NestModel> model, const Machine &machine);

// Largest power of two that is <= n (n >= 1).
int64_t floor_power_of_two(int64_t n);

// How to cut `rows` steps of equal work into parallel tasks: rows per task, so that the tasks of
// `outer` independent repetitions keep `threads` workers evenly busy while no task gets smaller
// than `least_rows`.
int64_t rows_per_task(int64_t rows, int64_t outer, int threads, int64_t least_rows = 1);

}  // namespace emulsion
