// An image that ends where the inputs do.
#include "tests/pipelines/pipeline_kind.h"
#include "tests/pipelines/pipeline_maker.h"

namespace emulsion {

using namespace test;
using Halide::Expr;
using Halide::Func;

namespace {

void make_boundary(PipelineMaker &maker) {
    const PipelineMaker::Image image = maker.any_with_axes();
    const auto place = PipelineMaker::place(image.axes);
    Func inner = maker.func("inner");
    inner(PipelineMaker::variables(image.axes)) = maker.read(image, place);
    const Halide::Region all = maker.whole(image.axes);
    if (all.empty()) {
        return;
    }
    using namespace Halide::BoundaryConditions;
    const Func f = maker.draw.flip()   ? repeat_edge(inner, all)
                   : maker.draw.flip() ? constant_exterior(inner, Expr(9), all)
                                       : mirror_image(inner, all);
    maker.add(f, image.axes, Halide::Int(32));
}

}  // namespace

const PipelineKind &pipeline_kind_boundary() {
    static const PipelineKind kind{.name = "boundary", .weight = 2, .make = make_boundary};
    return kind;
}

}  // namespace emulsion
