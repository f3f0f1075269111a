// Updates of single rows, columns and places.
#include "tests/pipelines/pipeline_kind.h"
#include "tests/pipelines/pipeline_maker.h"

namespace emulsion {

using namespace test;
using Halide::cast;
using Halide::Expr;
using Halide::Func;
using Halide::RDom;

namespace {

void make_patch(PipelineMaker &maker) {
    const PipelineMaker::Image image = maker.any_with_axes();
    const std::vector<int> axes = maker.some_axes(image);
    if (axes.empty()) {
        return;
    }
    const auto place = PipelineMaker::place(axes);
    const Halide::Type type = maker.some_type(false);
    Func f = maker.func("patch");
    f(PipelineMaker::variables(axes)) = PipelineMaker::stored_as(type, maker.read(image, place));
    for (int64_t updates = maker.draw.integer(1, 3); updates > 0; updates--) {
        const int axis = axes[static_cast<size_t>(maker.draw.below(axes.size()))];
        const auto extent = static_cast<int>(maker.extent(axis));
        auto at = place;
        if (maker.draw.flip()) {
            at[axis] = static_cast<int>(maker.draw.integer(0, extent - 1));
            const Expr other = maker.read(maker.any(false), at);
            f(PipelineMaker::at(axes, at)) = PipelineMaker::stored_as(type, other);
            continue;
        }
        const RDom r(0, std::min(extent, 9));
        at[axis] = r;
        const std::vector<Expr> to = PipelineMaker::at(axes, at);
        f(to) = cast(type, PipelineMaker::small(cast<int>(f(to)) + r));
    }
    maker.add(f, axes, type);
}

}  // namespace

const PipelineKind &pipeline_kind_patch() {
    static const PipelineKind kind{.name = "patch", .weight = 2, .make = make_patch};
    return kind;
}

}  // namespace emulsion
