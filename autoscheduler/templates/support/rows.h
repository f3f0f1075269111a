// The loop nest behind element-wise operators and row reductions: the root is computed row by row,
// vectors along the row, rows in parallel. Reductions (panels) are computed as late as their axes
// allow, in the loops over the axes that all of them have:
//
//     parallel for rows (axes that the panels have, as they lie in memory):
//       panel(row) = ...
//       for the other axes:  for vectors of columns:  root(...) = ... panel(row) ...
//
// If the panels have the columns too, or there are no panels and fewer rows than tasks, blocks of columns count as rows. If
// that gives too few rows for the threads, panels are stored whole before the root.
#pragma once

#include <optional>
#include <string>

#include "autoscheduler/templates/template.h"

namespace emulsion {

// Parameters: column_axis (vectors run along it; -1: the innermost in memory), crossing_axis (an operand's
// cache lines lie along it, so it is computed in blocks as long as they are; -1: there is none such), vector
// (elements), tasks (into how many parallel tasks the rows are cut, about; 0: serial). Where columns divide their axis
// (interleaving.h): interleaved (so many vectors, each of every so-manieth column, are computed together) and
// interleaved_axis (the only one where that holds). Bounds are what any nest must be, the space what an operator is
// offered.
NestSpace rows_domains(int rank);
NestSpace rows_bounds(const NestFuncs &funcs);
NestSpace rows_space(const std::string &template_name, const NestSubject &subject);

// Adds what says that the nest may compute other stages at rows of the root, and be one itself. More
// parameters: row_axis, outer_axes (the bits of those that panels have one step of), task_rows.
void host_panels(const NestSubject &subject, NestSpace &space);

// Whether a sum is by columns of the result: panels are then computed for blocks of columns, which may be tasks.
bool sums_keep_columns(const NestSubject &subject);

// Two of the parameters.
int rows_vector(const Nest &nest);
int rows_tasks(const Nest &nest);

// The same nest, computing one element after the other; nothing where it does that already.
std::optional<Nest> scalar_rows(const Nest &nest);

// How much of the root a panel is for, by axis.
std::vector<int64_t> rows_panel(const Nest &nest, const std::vector<int64_t> &extents);

void apply_rows(const NestFuncs &funcs, const Nest &nest);

// Axes of the root as they lie in memory, outermost first: by its strides where they are known, else in
// the order of its storage. Axes of one element come first: their strides say nothing.
std::vector<int> memory_order(const NestFuncs &funcs);

}  // namespace emulsion
