// A tuple of two types, perhaps updated; the place of a largest element.
#include "tests/pipelines/pipeline_kind.h"
#include "tests/pipelines/pipeline_maker.h"

namespace emulsion {

using namespace test;
using Halide::cast;
using Halide::Expr;
using Halide::Func;
using Halide::RDom;

namespace {

void add_elements(PipelineMaker &maker, const Func &pair, const std::vector<int> &axes) {
    maker.add(pair, axes, pair.types()[0], 0);
    maker.add(pair, axes, pair.types()[1], 1);
}

// The largest of a few elements along an axis and how far it is.
void make_largest(PipelineMaker &maker, const PipelineMaker::Image &image,
                  const std::vector<int> &axes) {
    Func f = maker.func("largest");
    const std::vector<Halide::Var> vars = PipelineMaker::variables(axes);
    const RDom r(0, static_cast<int>(maker.draw.integer(1, 6)));
    auto place = PipelineMaker::place(axes);
    place[axes.front()] += r;
    const Expr value = maker.read(image, place);
    f(vars) = Halide::Tuple(Expr(-129), Expr(0));
    const Expr larger = value > f(vars)[0];
    f(vars) = Halide::Tuple(Halide::select(larger, value, f(vars)[0]),
                            Halide::select(larger, Expr(r), f(vars)[1]));
    add_elements(maker, f, axes);
}

void make_pair(PipelineMaker &maker) {
    const PipelineMaker::Image image = maker.any_with_axes();
    const std::vector<int> axes = maker.some_axes(image);
    if (!axes.empty() && maker.draw.one_in(3)) {
        make_largest(maker, image, axes);
        return;
    }
    const auto place = PipelineMaker::place(axes);
    const std::vector<Halide::Var> vars = PipelineMaker::variables(axes);
    Func f = maker.func("pair");
    f(vars) = Halide::Tuple(maker.read(image, place),
                            cast<int16_t>(maker.read_near(maker.any_with_axes(), place)));
    if (maker.draw.flip()) {
        f(vars) =
            Halide::Tuple(PipelineMaker::small(f(vars)[0] + maker.read(maker.any(false), place)),
                          f(vars)[1] ^ cast<int16_t>(PipelineMaker::small(f(vars)[0])));
    }
    add_elements(maker, f, axes);
}

}  // namespace

const PipelineKind &pipeline_kind_pair() {
    static const PipelineKind kind{.name = "pair", .weight = 3, .make = make_pair};
    return kind;
}

}  // namespace emulsion
