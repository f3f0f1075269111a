// All of an axis, or of all axes, in one number.
#include "tests/pipelines/pipeline_kind.h"
#include "tests/pipelines/pipeline_maker.h"

namespace emulsion {

using namespace test;
using Halide::Expr;
using Halide::Func;
using Halide::RDom;

namespace {

void make_reduction(PipelineMaker &maker) {
    const PipelineMaker::Image image = maker.any(true);
    if (image.axes.empty()) {
        return;
    }
    std::vector<int> axes = image.axes, gone;
    do {
        const auto chosen = axes.begin() + maker.draw.below(axes.size());
        gone.push_back(*chosen);
        axes.erase(chosen);
    } while (!axes.empty() && maker.draw.one_in(3));
    auto place = PipelineMaker::place(axes);
    double count = 1.0;
    for (const int axis : gone) {
        count *= static_cast<double>(maker.extent(axis));
    }
    const RDom r(maker.whole(gone));
    for (size_t i = 0; i < gone.size(); i++) {
        place[gone[i]] = r[static_cast<int>(i)];
    }
    const std::vector<Halide::Var> vars = PipelineMaker::variables(axes);
    const bool real = image.is_float();
    Func sum = maker.func("sum"), f = maker.func("mean");
    sum(vars) = real ? Expr(0.0F) : Expr(0);
    sum(vars) += maker.read(image, place);
    f(vars) = real ? sum(vars) * static_cast<float>(1.0 / count)
                   : PipelineMaker::small(sum(vars) / static_cast<int>(count));
    maker.add(f, axes, f.types()[0]);
}

}  // namespace

const PipelineKind &pipeline_kind_reduction() {
    static const PipelineKind kind{.name = "reduction", .weight = 3, .make = make_reduction};
    return kind;
}

}  // namespace emulsion
