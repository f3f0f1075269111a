#include "tests/autoscheduler/layer.h"

#include <cmath>
#include <random>

#include "autoscheduler/pipeline_analysis.h"
#include "fusion/planner.h"

namespace emulsion::test {

Layer::Layer(const std::string &name)
    : data(Halide::Float(32), 2, name + "_data"), weights(Halide::Float(32), 2, name + "_weights"),
      sum(name + "_sum"), out(name + "_out") {
    const Halide::Var c("c"), x("x");
    const Halide::RDom k(0, kDepth, name + "_k");
    sum(c, x) = 0.0F;
    sum(c, x) += weights(c, k) * data(k, x);
    out(c, x) = Halide::max(sum(c, x), 0.0F);
    data.set_estimates({{0, kDepth}, {0, kRows}});
    weights.set_estimates({{0, kColumns}, {0, kDepth}});
    out.set_estimates({{0, kColumns}, {0, kRows}});
}

Plan Layer::plan(const Machine &machine) const {
    PlannerOptions options;
    options.owns_layouts = false;
    return make_plan(analyze_pipeline({out}, machine), options);
}

double Layer::largest_error() {
    std::mt19937 engine(1);
    std::uniform_real_distribution<float> value(-1.0F, 1.0F);
    Halide::Buffer<float> d(kDepth, kRows), w(kColumns, kDepth);
    d.for_each_value([&](float &v) { v = value(engine); });
    w.for_each_value([&](float &v) { v = value(engine); });
    data.set(d);
    weights.set(w);
    const Halide::Buffer<float> result = out.realize({kColumns, kRows});
    double largest = 0.0;
    for (int x = 0; x < kRows; x++) {
        for (int c = 0; c < kColumns; c++) {
            double expected = 0.0;
            for (int k = 0; k < kDepth; k++) {
                expected += static_cast<double>(w(c, k)) * d(k, x);
            }
            largest = std::max(largest, std::abs(std::max(expected, 0.0) - result(c, x)));
        }
    }
    return largest;
}

}  // namespace emulsion::test
