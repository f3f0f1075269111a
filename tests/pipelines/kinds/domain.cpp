// A reduction domain whose size the caller gives, with conditions on where it is and on data.
#include "tests/pipelines/pipeline_kind.h"
#include "tests/pipelines/pipeline_maker.h"

namespace emulsion {

using namespace test;
using Halide::Expr;
using Halide::Func;
using Halide::RDom;

namespace {

void make_domain(PipelineMaker &maker) {
    const PipelineMaker::Image image = maker.any_with_axes();
    const std::vector<int> axes = maker.some_axes(image);
    if (axes.empty()) {
        return;
    }
    Halide::Param<int> number("size" + std::to_string(maker.made().parameters.size()));
    number.set(static_cast<int>(maker.draw.integer(1, 6)));
    if (maker.draw.flip()) {
        number.set_estimate(static_cast<int>(maker.draw.integer(1, 6)));
    }
    maker.made().parameters.push_back(number);
    RDom r(0, number, -1, 3);
    auto place = PipelineMaker::place(axes);
    place[axes.front()] += r.x;
    place[axes.back()] += r.y;
    if (maker.draw.flip()) {
        r.where(r.x + r.y < number);
    }
    if (maker.draw.flip()) {
        r.where(maker.read(maker.any(false), place) > 40);
    }
    const Expr value = maker.read(image, place);
    Func f = maker.func("domain");
    const std::vector<Halide::Var> vars = PipelineMaker::variables(axes);
    if (maker.draw.flip()) {
        f(vars) = 0;
        f(vars) += value / 18;
    } else {
        f(vars) = -128;
        f(vars) = max(f(vars), value);
    }
    maker.add(f, axes, Halide::Int(32));
}

}  // namespace

const PipelineKind &pipeline_kind_domain() {
    static const PipelineKind kind{.name = "domain", .weight = 2, .make = make_domain};
    return kind;
}

}  // namespace emulsion
