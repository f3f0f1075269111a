// A number for every row: its sum, a sum of products, or an extreme, of as many elements as lie side by side.
#include "tests/pipelines/pipeline_kind.h"
#include "tests/pipelines/pipeline_maker.h"

namespace emulsion {

using namespace test;
using Halide::cast;
using Halide::Expr;
using Halide::Func;
using Halide::RDom;

namespace {

void make_row(PipelineMaker &maker) {
    const PipelineMaker::Image image = maker.any(true);
    if (image.axes.empty()) {
        return;
    }
    const int along = image.axes.front();
    const std::vector<int> axes(image.axes.begin() + 1, image.axes.end());
    const auto extent = static_cast<int>(maker.extent(along));
    // Perhaps without the first and last elements: loops that no vectors divide, and that begin elsewhere.
    const int first =
        maker.draw.flip() ? 0 : static_cast<int>(maker.draw.integer(0, std::min(extent - 1, 9)));
    RDom r(first, extent - first);
    if (maker.draw.one_in(6)) {
        r.where(r.x % 3 != 1);
    }
    auto place = PipelineMaker::place(axes);
    place[along] = r.x;
    const bool real = image.is_float();
    Expr value = maker.read(image, place);
    if (maker.draw.flip()) {
        value = value * maker.read(maker.any(real), place) / 256;
    }
    Func f = maker.func("row");
    const std::vector<Halide::Var> vars = PipelineMaker::variables(axes);
    if (maker.draw.one_in(4)) {
        f(vars) = cast(value.type(), -256);
        f(vars) = max(f(vars), value);
        maker.add_of_some_type("largest", axes,
                               real ? Expr(f(vars)) : PipelineMaker::small(f(vars)));
    } else {
        f(vars) = cast(value.type(), 0);
        f(vars) += value;
        maker.add_of_some_type("scaled", axes,
                               real ? f(vars) * (1.0F / static_cast<float>(extent))
                                    : PipelineMaker::small(f(vars) / extent));
    }
}

}  // namespace

const PipelineKind &pipeline_kind_row() {
    static const PipelineKind kind{.name = "row", .weight = 3, .make = make_row};
    return kind;
}

}  // namespace emulsion
