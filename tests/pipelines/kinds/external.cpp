// A stage that the user's own code computes.
#include "tests/pipelines/pipeline_kind.h"
#include "tests/pipelines/pipeline_maker.h"

namespace emulsion {

using namespace test;
using Halide::Func;

namespace {

constexpr const char *kSymbol = "emulsion_pipelines_twice";
using Whole = Halide::Runtime::Buffer<int32_t, Halide::AnyDims, 8>;

// Twice every element; asked for sizes, it needs as much as it makes.
int twice(halide_buffer_t *in, halide_buffer_t *out) {
    if (in->is_bounds_query()) {
        for (int d = 0; d < out->dimensions; d++) {
            in->dim[d].min = out->dim[d].min;
            in->dim[d].extent = out->dim[d].extent;
        }
    }
    if (in->is_bounds_query() || out->is_bounds_query()) {
        return 0;
    }
    const Whole from(*in);
    Whole(*out).for_each_element(
        [&, to = Whole(*out)](const int *at) mutable { to(at) = (from(at) * 2) & 255; });
    return 0;
}

void make_external(PipelineMaker &maker) {
    const PipelineMaker::Image image = maker.any_with_axes();
    Func before = maker.func("before"), f = maker.func("external");
    before(PipelineMaker::variables(image.axes)) =
        maker.read(image, PipelineMaker::place(image.axes));
    f.define_extern(kSymbol, {before}, Halide::Int(32), PipelineMaker::variables(image.axes));
    maker.made().externs.insert_or_assign(kSymbol, Halide::JITExtern(twice));
    maker.add(f, image.axes, Halide::Int(32));
}

}  // namespace

const PipelineKind &pipeline_kind_external() {
    static const PipelineKind kind{.name = "external", .weight = 1, .make = make_external};
    return kind;
}

}  // namespace emulsion
