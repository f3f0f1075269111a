// Blocks of 3 vectors of filters by 8 columns in registers; all channels of a tap before the next tap.
#include "bench/classics/manual_schedule.h"

namespace emulsion {

namespace {

void schedule_convolution_layer(const classics::NamedFuncs &funcs) {
    const Halide::Var f("f"), x("x"), y("y"), fo("fo"), fi("fi"), xo("xo"), xi("xi"), task("task");
    const int lanes = funcs.lanes(), vectors = 3, columns = 8;
    Halide::Func output = funcs["output"], sum = funcs["sum"];
    output.split(f, fo, fi, vectors * lanes)
        .split(x, xo, xi, columns)
        .reorder(fi, xi, xo, y, fo)
        .vectorize(fi, lanes)
        .unroll(fi)
        .unroll(xi)
        .fuse(y, fo, task)
        .parallel(task);
    sum.compute_at(output, xo).vectorize(f, lanes).unroll(f).unroll(x);
    const auto r = sum.rvars(0);
    sum.update()
        .reorder(f, x, r[0], r[1], r[2])
        .vectorize(f, lanes)
        .unroll(f)
        .unroll(x)
        .unroll(r[0], 2);
}

}  // namespace

const classics::ManualSchedule &manual_schedule_convolution_layer() {
    static const classics::ManualSchedule schedule{"convolution_layer", schedule_convolution_layer};
    return schedule;
}

}  // namespace emulsion
