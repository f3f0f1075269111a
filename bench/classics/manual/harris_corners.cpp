// Strips of rows in parallel; the gray image and the gradients slide down the strip, products and sums are
// inlined.
#include "bench/classics/manual_schedule.h"

namespace emulsion {

namespace {

void schedule_harris_corners(const classics::NamedFuncs &funcs) {
    const Halide::Var x("x"), y("y"), yo("yo"), yi("yi");
    const int lanes = funcs.lanes();
    const Halide::Func output = funcs["output"];
    Halide::Func(output).split(y, yo, yi, 32).vectorize(x, lanes).parallel(yo);
    for (const char *name : {"gray", "gx", "gy"}) {
        funcs[name].store_at(output, yo).compute_at(output, yi).vectorize(x, lanes);
    }
}

}  // namespace

const classics::ManualSchedule &manual_schedule_harris_corners() {
    static const classics::ManualSchedule schedule{"harris_corners", schedule_harris_corners};
    return schedule;
}

}  // namespace emulsion
