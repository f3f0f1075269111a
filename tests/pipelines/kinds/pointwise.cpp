// Element by element, of one to three images.
#include "tests/pipelines/pipeline_kind.h"
#include "tests/pipelines/pipeline_maker.h"

namespace emulsion {

using namespace test;
using Halide::cast;
using Halide::Expr;

namespace {

Expr of_integers(PipelineMaker &maker, const Expr &a, const Expr &b) {
    switch (maker.draw.integer(0, 8)) {
    case 0: return a + b;
    case 1: return a - b;
    case 2: return a * b;
    case 3: return max(a, b);
    case 4: return min(a, b);
    case 5: return Halide::select(a > b, a - b, b);
    case 6: return a ^ (b >> 1);
    case 7: return cast<int>(Halide::absd(a, b));
    default: return a / (b + 1) + a % 7;
    }
}

Expr of_floats(PipelineMaker &maker, const Expr &a, const Expr &b) {
    switch (maker.draw.integer(0, 6)) {
    case 0: return 0.5F * a + 0.5F * b;
    case 1: return a * 0.75F - b * 0.25F;
    case 2: return a * b * (1.0F / 256.0F);
    case 3: return max(a, b);
    case 4: return min(a, b);
    case 5: return 64.0F * Halide::sin(a * 0.0625F) + 0.25F * b;
    default: return Halide::sqrt(abs(a) + 1.0F) + 0.5F * b;
    }
}

void make_pointwise(PipelineMaker &maker) {
    const PipelineMaker::Image first = maker.any(true);
    const std::vector<int> axes = maker.some_axes(first);
    const auto place = PipelineMaker::place(axes);
    Expr value = maker.read(first, place);
    for (int64_t more = maker.draw.integer(0, 2); more > 0; more--) {
        const Expr other = maker.read(maker.any(true), place);
        value = value.type().is_float() || other.type().is_float()
                    ? of_floats(maker, PipelineMaker::real(value), PipelineMaker::real(other))
                    : PipelineMaker::small(of_integers(maker, value, other));
    }
    if (!axes.empty() && !value.type().is_float() && maker.draw.one_in(3)) {
        value = PipelineMaker::small(value + PipelineMaker::variable(axes.front()));
    }
    maker.add_of_some_type("pointwise", axes, value);
}

}  // namespace

const PipelineKind &pipeline_kind_pointwise() {
    static const PipelineKind kind{.name = "pointwise", .weight = 6, .make = make_pointwise};
    return kind;
}

}  // namespace emulsion
