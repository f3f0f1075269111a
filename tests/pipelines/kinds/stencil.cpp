// A few neighbours.
#include "tests/pipelines/pipeline_kind.h"
#include "tests/pipelines/pipeline_maker.h"

namespace emulsion {

using namespace test;
using Halide::Expr;

namespace {

void make_stencil(PipelineMaker &maker) {
    const PipelineMaker::Image image = maker.any(true);
    const std::vector<int> axes = maker.some_axes(image);
    const auto place = PipelineMaker::place(axes);
    const int64_t taps = maker.draw.integer(2, 6);
    Expr sum = maker.read(image, place);
    for (int64_t tap = 1; tap < taps; tap++) {
        sum += maker.read_near(image, place);
    }
    const Expr value =
        image.is_float() ? sum * (1.0F / static_cast<float>(taps)) : PipelineMaker::small(sum);
    maker.add_of_some_type("stencil", axes, value);
}

}  // namespace

const PipelineKind &pipeline_kind_stencil() {
    static const PipelineKind kind{.name = "stencil", .weight = 5, .make = make_stencil};
    return kind;
}

}  // namespace emulsion
