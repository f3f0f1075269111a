// A tuple whose update makes each value of the other one, at its own place or at the one before.
#include "tests/pipelines/pipeline_kind.h"
#include "tests/pipelines/pipeline_maker.h"

namespace emulsion {

using namespace test;
using Halide::Func;
using Halide::RDom;

namespace {

void make_exchange(PipelineMaker &maker) {
    const PipelineMaker::Image image = maker.any_with_axes();
    const std::vector<int> axes = maker.some_axes(image);
    if (axes.empty()) {
        return;
    }
    const auto place = PipelineMaker::place(axes);
    const std::vector<Halide::Var> vars = PipelineMaker::variables(axes);
    Func f = maker.func("exchange");
    f(vars) =
        Halide::Tuple(maker.read(image, place), maker.read_near(maker.any_with_axes(), place));
    if (maker.draw.flip()) {
        f(vars) = Halide::Tuple(f(vars)[1], PipelineMaker::small(f(vars)[0] + f(vars)[1]));
    }
    const int along = axes[static_cast<size_t>(maker.draw.below(axes.size()))];
    const RDom r(1, std::max(static_cast<int>(maker.extent(along)) - 1, 1));
    auto here = place, before = place;
    here[along] = r;
    before[along] = r - 1;
    const auto to = PipelineMaker::at(axes, here), from = PipelineMaker::at(axes, before);
    f(to) = Halide::Tuple(PipelineMaker::small(f(to)[1] + f(from)[0]), f(from)[1]);
    maker.add(f, axes, Halide::Int(32), 0);
    maker.add(f, axes, Halide::Int(32), 1);
}

}  // namespace

const PipelineKind &pipeline_kind_exchange() {
    static const PipelineKind kind{.name = "exchange", .weight = 2, .make = make_exchange};
    return kind;
}

}  // namespace emulsion
