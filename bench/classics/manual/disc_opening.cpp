// Tiles that stay in the second cache; several vectors side by side in registers while the disc is walked,
// whose loops are unrolled so that nothing is asked inside.
#include "bench/classics/manual_schedule.h"

namespace emulsion {

namespace {

void schedule_disc_opening(const classics::NamedFuncs &funcs) {
    const Halide::Var x("x"), y("y"), xo("xo"), yo("yo"), xi("xi"), yi("yi"), xv("xv"), yv("yv");
    const int lanes = funcs.lanes(Halide::UInt(8)), rows = 4;
    Halide::Func output = funcs["output"], eroded = funcs["eroded"], opened = funcs["opened"];
    output.split(y, yo, yi, 64)
        .split(x, xo, xi, 4 * lanes)
        .reorder(xi, yi, xo, yo)
        .parallel(yo)
        .split(yi, yi, yv, rows)
        .split(xi, xi, xv, lanes)
        .reorder(xv, yv, xi, yi)
        .vectorize(xv)
        .unroll(yv);
    funcs["repeat_edge"]
        .compute_at(output, yo)
        .vectorize(Halide::Func(funcs["repeat_edge"]).args()[0], lanes);
    opened.compute_at(output, xi).vectorize(x, lanes).unroll(y);
    const auto walk = [&](Halide::Func f) {
        const auto disc = f.rvars(0);
        f.update()
            .reorder(x, y, disc[0], disc[1])
            .vectorize(x, lanes)
            .unroll(y)
            .unroll(disc[0])
            .unroll(disc[1]);
    };
    walk(opened);
    eroded.compute_at(output, xo)
        .split(y, y, yi, rows)
        .split(x, x, xi, lanes)
        .reorder(xi, yi, x, y)
        .vectorize(xi)
        .unroll(yi);
    const auto disc = eroded.rvars(0);
    eroded.update()
        .split(y, y, yi, rows, Halide::TailStrategy::GuardWithIf)
        .split(x, x, xi, lanes, Halide::TailStrategy::GuardWithIf)
        .reorder(xi, yi, disc[0], disc[1], x, y)
        .vectorize(xi)
        .unroll(yi);
}

}  // namespace

const classics::ManualSchedule &manual_schedule_disc_opening() {
    static const classics::ManualSchedule schedule{"disc_opening", schedule_disc_opening};
    return schedule;
}

}  // namespace emulsion
