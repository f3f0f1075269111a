// Conditions as an image.
#include "tests/pipelines/pipeline_kind.h"
#include "tests/pipelines/pipeline_maker.h"

namespace emulsion {

using namespace test;
using Halide::Func;

namespace {

void make_mask(PipelineMaker &maker) {
    const PipelineMaker::Image image = maker.any_with_axes();
    const std::vector<int> axes = maker.some_axes(image);
    const auto place = PipelineMaker::place(axes);
    const std::vector<Halide::Var> vars = PipelineMaker::variables(axes);
    Func mask = maker.func("mask"), f = maker.func("masked");
    mask(vars) = maker.read(image, place) > maker.read_near(maker.any(false), place);
    auto next = place;
    if (!axes.empty()) {
        next[axes.front()] += 1;
    }
    f(vars) = Halide::select(mask(vars) && !mask(PipelineMaker::at(axes, next)),
                             maker.read(maker.any(false), place), 3);
    maker.add(f, axes, Halide::Int(32));
}

}  // namespace

const PipelineKind &pipeline_kind_mask() {
    static const PipelineKind kind{.name = "mask", .weight = 2, .make = make_mask};
    return kind;
}

}  // namespace emulsion
