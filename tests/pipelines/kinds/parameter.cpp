// A number of the caller, in a value, in a place, or as the size of a window.
#include "tests/pipelines/pipeline_kind.h"
#include "tests/pipelines/pipeline_maker.h"

namespace emulsion {

using namespace test;
using Halide::Func;
using Halide::RDom;

namespace {

void make_parameter(PipelineMaker &maker) {
    const PipelineMaker::Image image = maker.any(false);
    const std::vector<int> axes = maker.some_axes(image);
    auto place = PipelineMaker::place(axes);
    Halide::Param<int> number("number" + std::to_string(maker.made().parameters.size()));
    if (maker.draw.flip()) {
        number.set_estimate(static_cast<int>(maker.draw.integer(1, 6)));
    }
    number.set(static_cast<int>(maker.draw.integer(1, 5)));
    maker.made().parameters.push_back(number);
    Func f = maker.func("parameter");
    const std::vector<Halide::Var> vars = PipelineMaker::variables(axes);
    const int64_t way = axes.empty() ? 0 : maker.draw.integer(0, 2);
    if (way == 0) {
        f(vars) = PipelineMaker::small(maker.read(image, place) + number);
    } else if (way == 1) {
        place[axes.front()] += number;
        f(vars) = maker.read(image, place);
    } else {
        const RDom r(0, clamp(number, 1, 7));
        place[axes.front()] += r;
        f(vars) = 0;
        f(vars) += maker.read(image, place) / 8;
    }
    maker.add(f, axes, Halide::Int(32));
}

}  // namespace

const PipelineKind &pipeline_kind_parameter() {
    static const PipelineKind kind{.name = "parameter", .weight = 2, .make = make_parameter};
    return kind;
}

}  // namespace emulsion
