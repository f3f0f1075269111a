// Strips of a few rows and some hundred columns: both blurs down are made for the strip in registers, then
// both blurs across, several vectors at a time, so that a weight is read once for all of them.
#include "bench/classics/manual_schedule.h"

namespace emulsion {

namespace {

void schedule_difference_of_gaussians(const classics::NamedFuncs &funcs) {
    const Halide::Var x("x"), y("y"), xo("xo"), yo("yo"), xi("xi"), yi("yi"), v("v");
    const int lanes = funcs.lanes(), block = 4 * lanes;
    Halide::Func output = funcs["output"];
    output.split(y, yo, yi, 32)
        .split(x, xo, xi, block)
        .reorder(xi, xo, yi, yo)
        .split(xi, xi, v, lanes)
        .vectorize(v)
        .unroll(xi)
        .parallel(yo);
    funcs["image"].compute_at(output, yo).vectorize(x, lanes);
    for (const std::string name : {"small", "large"}) {
        funcs[name + "_kernel"].compute_root();
        funcs[name + "_bell"].compute_root();
        Halide::Func both = funcs[name + "_both"], down = funcs[name + "_down"];
        both.compute_at(output, xo).vectorize(x, lanes).unroll(x);
        const Halide::RVar across = both.rvars(0)[0], along = down.rvars(0)[0];
        both.update().reorder(x, across, y).vectorize(x, lanes).unroll(x);
        down.compute_at(output, yi).split(x, xo, xi, block).vectorize(xi, lanes).unroll(xi);
        down.update()
            .split(x, xo, xi, block, Halide::TailStrategy::GuardWithIf)
            .reorder(xi, along, xo, y)
            .vectorize(xi, lanes)
            .unroll(xi);
    }
}

}  // namespace

const classics::ManualSchedule &manual_schedule_difference_of_gaussians() {
    static const classics::ManualSchedule schedule{"difference_of_gaussians",
                                                   schedule_difference_of_gaussians};
    return schedule;
}

}  // namespace emulsion
