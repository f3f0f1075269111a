// A table that an image counts in, and a look into it.
#include "tests/pipelines/pipeline_kind.h"
#include "tests/pipelines/pipeline_maker.h"

namespace emulsion {

using namespace test;
using Halide::cast;
using Halide::Expr;
using Halide::Func;
using Halide::RDom;

namespace {

void make_histogram(PipelineMaker &maker) {
    const PipelineMaker::Image image = maker.any_with_axes();
    if (image.axes.empty()) {
        return;
    }
    const RDom r(maker.whole(image.axes));
    PipelineMaker::Place source;
    for (size_t i = 0; i < image.axes.size(); i++) {
        source[image.axes[i]] = r[static_cast<int>(i)];
    }
    const Halide::Var bin("bin");
    Func counts = maker.func("counts"), f = maker.func("looked_up");
    counts(bin) = bin & 3;
    counts(clamp(maker.read(image, source), 0, 255)) +=
        maker.draw.flip() ? Expr(1) : 1 + (r[0] & 7);
    if (maker.draw.flip()) {
        const RDom up(1, 255);
        counts(up) = (counts(up) + counts(up - 1)) & 0xffff;
    }
    const PipelineMaker::Image where = maker.any_with_axes();
    const std::vector<int> axes = maker.some_axes(where);
    const Expr at = maker.read(where, PipelineMaker::place(axes));
    const Halide::Type type = maker.some_type(false);
    f(PipelineMaker::variables(axes)) =
        cast(type, PipelineMaker::small(maker.draw.flip() ? counts(clamp(at, 0, 255))
                                                          : counts(cast<int>(cast<uint8_t>(at)))));
    maker.add(f, axes, type);
}

}  // namespace

const PipelineKind &pipeline_kind_histogram() {
    static const PipelineKind kind{.name = "histogram", .weight = 2, .make = make_histogram};
    return kind;
}

}  // namespace emulsion
