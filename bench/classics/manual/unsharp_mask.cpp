// Strips of rows in parallel; the gray image and the columns slide down the strip, a row at a time.
#include "bench/classics/manual_schedule.h"

namespace emulsion {

namespace {

void schedule_unsharp_mask(const classics::NamedFuncs &funcs) {
    const Halide::Var x("x"), y("y"), c("c"), yo("yo"), yi("yi");
    const int lanes = funcs.lanes();
    funcs["weight"].compute_root();
    funcs["output"]
        .reorder(c, x, y)
        .unroll(c)
        .split(y, yo, yi, 32)
        .vectorize(x, lanes)
        .parallel(yo);
    funcs["ratio"].compute_at(funcs["output"], x).vectorize(x);
    funcs["columns"]
        .store_at(funcs["output"], yo)
        .compute_at(funcs["output"], yi)
        .vectorize(x, lanes);
    funcs["gray"].store_at(funcs["output"], yo).compute_at(funcs["output"], yi).vectorize(x, lanes);
}

}  // namespace

const classics::ManualSchedule &manual_schedule_unsharp_mask() {
    static const classics::ManualSchedule schedule{"unsharp_mask", schedule_unsharp_mask};
    return schedule;
}

}  // namespace emulsion
