// Scheduling moves that several templates share.
#pragma once

#include <string>
#include <vector>

#include "autoscheduler/templates/template.h"

namespace emulsion {

// The pure variables of `func`, by dimension.
std::vector<Halide::Var> pure_vars(const Halide::Func &func);

// Reduction variables of an update of `func`, in RDom order. Those that rfactor() makes have the names of the loops that
// they were split from, of which Halide 19 takes the last part only.
std::vector<Halide::RVar> reduction_vars(const Halide::Func &func, int update = 0);

// Makes `loops` of an update one, the fastest first: "all1", "all2", ... of several.
Halide::RVar fuse_reduction(Halide::Stage update, const std::vector<Halide::RVar> &loops);

// The variable of `func` that runs along axis `axis` of `root`: by name where Funcs share names, else by
// position. Returns false if there is none.
bool matching_var(const Halide::Func &root, const Halide::Func &func, int axis, Halide::Var &found);

// Elements along `column`, a variable of `func`, are to be neighbours: only then vectors of them are registers.
void store_innermost(Halide::Func func, const Halide::Var &column);

// A loop, and how often it runs (-1: unknown).
struct CountedLoop {
    Halide::Var var;
    int64_t trips = -1;
};

// Fuses `loops` (outermost first) into one and makes it parallel, unless all of them together run once.
void parallelize(Halide::Func func, const std::vector<CountedLoop> &loops);

// Fuses the outermost of `loops` (outermost first) until there are `tasks` iterations, and makes chunks of them
// parallel.
void parallelize_rows(Halide::Func root, const std::vector<CountedLoop> &loops, int tasks);

// Extent of axis `axis`, or -1.
int64_t known_extent(const NestFuncs &funcs, int axis);

// For a split of axis `axis` of the root. ShiftInwards recomputes a few elements at the end rather than
// test for it, but reaches before the start of a dimension that is shorter than one step. An unknown
// extent is taken to be long enough: it was when its estimate was planned for, and Halide checks it; but
// not that of a panel.
Halide::TailStrategy pure_tail(const NestFuncs &funcs, int axis, int64_t step);

// Whether what is read and written is checked when the code runs.
bool has_checks(const NestFuncs &funcs);

// Of a split of rows, or of panels of them, of which there are `trips` (-1: unknown). Halide's checks of what is
// read do not see that the first row of a panel and the number of its rows belong together: with checks, the last
// panel is moved inwards instead of cut off.
Halide::TailStrategy row_tail(const NestFuncs &funcs, int64_t trips, int64_t step);

}  // namespace emulsion
