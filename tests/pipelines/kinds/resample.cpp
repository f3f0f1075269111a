// Every other element, or each several times.
#include "tests/pipelines/pipeline_kind.h"
#include "tests/pipelines/pipeline_maker.h"

namespace emulsion {

using namespace test;
using Halide::Expr;

namespace {

void make_resample(PipelineMaker &maker) {
    const PipelineMaker::Image image = maker.any(true);
    const std::vector<int> axes = maker.some_axes(image);
    auto place = PipelineMaker::place(axes);
    for (auto &[axis, at] : place) {
        const auto scale = static_cast<int>(maker.draw.integer(2, 3));
        const auto most = static_cast<int>(maker.extent(axis)) + 9;
        switch (maker.draw.integer(0, 4)) {
        case 0: at = at / scale; break;
        case 1: at = clamp(at * scale, 0, most); break;
        case 2: at = clamp(at * scale + 1, -5, most); break;
        case 3: at = most - 9 - at; break;
        default: break;
        }
    }
    Expr value = maker.read(image, place);
    if (maker.draw.flip()) {
        value = image.is_float() ? 0.5F * (value + maker.read_near(image, place))
                                 : PipelineMaker::small(value + maker.read_near(image, place));
    }
    maker.add_of_some_type("resample", axes, value);
}

}  // namespace

const PipelineKind &pipeline_kind_resample() {
    static const PipelineKind kind{.name = "resample", .weight = 3, .make = make_resample};
    return kind;
}

}  // namespace emulsion
