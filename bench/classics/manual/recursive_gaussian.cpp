// Along rows: a vector of rows at a time, turned so that a step of the filter works on a vector. Down columns:
// a vector of columns or more at a time, all of it in one task.
#include "bench/classics/manual_schedule.h"

namespace emulsion {

namespace {

void schedule_recursive_gaussian(const classics::NamedFuncs &funcs) {
    const Halide::Var x("x"), y("y"), yo("yo"), yi("yi"), xo("xo"), xi("xi");
    const int lanes = funcs.lanes();
    Halide::Func output = funcs["output"], rows = funcs["rows"], columns = funcs["columns"];

    Halide::Func stored = rows.in(columns);
    stored.compute_root()
        .split(y, yo, yi, lanes)
        .split(x, xo, xi, lanes)
        .reorder(xi, yi, xo, yo)
        .vectorize(xi)
        .unroll(yi)
        .parallel(yo);
    rows.compute_at(stored, yo).reorder_storage(y, x).reorder(y, x).vectorize(y, lanes);
    for (int i = 0; i < 2; i++) {
        rows.update(i).reorder(y, rows.rvars(i)[0]).vectorize(y, lanes);
    }

    const int block = 4 * lanes;
    output.split(x, xo, xi, block).reorder(xi, y, xo).vectorize(xi, lanes).unroll(xi).parallel(xo);
    columns.compute_at(output, xo).vectorize(x, lanes).unroll(x);
    for (int i = 0; i < 2; i++) {
        columns.update(i).reorder(x, columns.rvars(i)[0]).vectorize(x, lanes).unroll(x);
    }
}

}  // namespace

const classics::ManualSchedule &manual_schedule_recursive_gaussian() {
    static const classics::ManualSchedule schedule{"recursive_gaussian",
                                                   schedule_recursive_gaussian};
    return schedule;
}

}  // namespace emulsion
