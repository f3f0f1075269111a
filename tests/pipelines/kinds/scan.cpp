// Along an axis, each element of the one before; there, or there and back.
#include "tests/pipelines/pipeline_kind.h"
#include "tests/pipelines/pipeline_maker.h"

namespace emulsion {

using namespace test;
using Halide::cast;
using Halide::Expr;
using Halide::Func;
using Halide::RDom;

namespace {

Expr step(const Expr &last, const Expr &now, bool real) {
    return real ? 0.5F * last + 0.5F * now : PipelineMaker::small(last * 3 + now);
}

void make_scan(PipelineMaker &maker) {
    const PipelineMaker::Image image = maker.any(true);
    const std::vector<int> axes = maker.some_axes(image);
    if (axes.empty()) {
        return;
    }
    // Often along the axis that the vectors would run along.
    const int along =
        maker.draw.flip() ? axes.front() : axes[static_cast<size_t>(maker.draw.below(axes.size()))];
    const auto extent = static_cast<int>(maker.extent(along));
    const bool real = image.is_float();
    const Halide::Type type =
        real ? Halide::Float(32)
             : maker.draw.of({Halide::Int(32), Halide::UInt(8), Halide::Int(16)});
    Func f = maker.func("scan");
    const auto place = PipelineMaker::place(axes);
    f(PipelineMaker::variables(axes)) = PipelineMaker::stored_as(type, maker.read(image, place));
    const auto scan = [&](const Expr &here, const Expr &before) {
        auto to = place, from = place;
        to[along] = here;
        from[along] = before;
        const std::vector<Expr> at = PipelineMaker::at(axes, to);
        const Expr last = f(PipelineMaker::at(axes, from)), now = f(at);
        f(at) =
            cast(type, real ? step(last, now, true) : step(cast<int>(last), cast<int>(now), false));
    };
    const RDom r(1, std::max(extent - 1, 1));
    scan(r, r - 1);
    if (maker.draw.one_in(3)) {
        const RDom back(1, std::max(extent - 1, 1));
        scan(extent - 1 - back, extent - back);
    }
    maker.add(f, axes, type);
}

}  // namespace

const PipelineKind &pipeline_kind_scan() {
    static const PipelineKind kind{.name = "scan", .weight = 3, .make = make_scan};
    return kind;
}

}  // namespace emulsion
