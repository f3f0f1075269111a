// A sum, largest or smallest over a window, perhaps of a part of it.
#include "tests/pipelines/pipeline_kind.h"
#include "tests/pipelines/pipeline_maker.h"

namespace emulsion {

using namespace test;
using Halide::cast;
using Halide::Expr;
using Halide::Func;
using Halide::RDom;

namespace {

void make_window(PipelineMaker &maker) {
    const PipelineMaker::Image image = maker.any(true);
    const std::vector<int> axes = maker.some_axes(image);
    if (axes.empty()) {
        return;
    }
    auto place = PipelineMaker::place(axes);
    const size_t count =
        std::min<size_t>(axes.size(), static_cast<size_t>(maker.draw.integer(1, 2)));
    Halide::Region window;
    int64_t taps = 1;
    for (size_t i = 0; i < count; i++) {
        const auto extent = static_cast<int>(maker.draw.integer(1, 6));
        window.emplace_back(static_cast<int>(maker.draw.integer(-4, 1)), extent);
        taps *= extent;
    }
    RDom r(window);
    if (maker.draw.one_in(4)) {
        r.where(r[0] + (count > 1 ? Expr(r[1]) : Expr(0)) < 2);
    }
    for (size_t i = 0; i < count; i++) {
        place[axes[i]] += r[static_cast<int>(i)];
    }
    const Expr value = maker.read(image, place);
    const bool real = image.is_float();
    const Halide::Type type = real ? Halide::Float(32) : Halide::Int(32);
    Func f = maker.func("window");
    const std::vector<Halide::Var> vars = PipelineMaker::variables(axes);
    switch (maker.draw.integer(0, 2)) {
    case 0:
        f(vars) = cast(type, 0);
        f(vars) +=
            real ? value * (1.0F / static_cast<float>(taps)) : value / static_cast<int>(taps);
        break;
    case 1:
        f(vars) = cast(type, -128);
        f(vars) = max(f(vars), value);
        break;
    default:
        f(vars) = cast(type, 255);
        f(vars) = min(f(vars), value);
        break;
    }
    maker.add(f, axes, type);
}

}  // namespace

const PipelineKind &pipeline_kind_window() {
    static const PipelineKind kind{.name = "window", .weight = 4, .make = make_window};
    return kind;
}

}  // namespace emulsion
