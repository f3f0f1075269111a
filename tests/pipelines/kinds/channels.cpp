// What an axis of a few elements chooses between.
#include "tests/pipelines/pipeline_kind.h"
#include "tests/pipelines/pipeline_maker.h"

namespace emulsion {

using namespace test;
using Halide::Expr;
using Halide::Func;

namespace {

void make_channels(PipelineMaker &maker) {
    const PipelineMaker::Image image = maker.any_with_axes();
    const std::vector<int> axes = maker.some_axes(image);
    int narrow = -1;
    for (const int axis : axes) {
        narrow = maker.extent(axis) <= 4 ? axis : narrow;
    }
    if (narrow < 0) {
        return;
    }
    const auto place = PipelineMaker::place(axes);
    std::vector<Expr> choices;
    for (int64_t i = 0; i < maker.extent(narrow); i++) {
        choices.push_back(
            PipelineMaker::small(maker.read_near(maker.any(false), place) * (i + 1 > 2 ? 3 : 2)));
    }
    Func f = maker.func("channels");
    const Expr channel = PipelineMaker::variable(narrow);
    f(PipelineMaker::variables(axes)) =
        maker.draw.flip() ? Halide::mux(channel, choices)
                          : Halide::select(channel == 0, choices.front(), choices.back());
    maker.add(f, axes, Halide::Int(32));
}

}  // namespace

const PipelineKind &pipeline_kind_channels() {
    static const PipelineKind kind{.name = "channels", .weight = 2, .make = make_channels};
    return kind;
}

}  // namespace emulsion
