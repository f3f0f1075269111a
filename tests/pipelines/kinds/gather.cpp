// Reads at places that another image says.
#include "tests/pipelines/pipeline_kind.h"
#include "tests/pipelines/pipeline_maker.h"

namespace emulsion {

using namespace test;
using Halide::Expr;

namespace {

void make_gather(PipelineMaker &maker) {
    const PipelineMaker::Image image = maker.any(true);
    const PipelineMaker::Image where = maker.any_with_axes();
    const std::vector<int> axes = maker.some_axes(where);
    auto place = PipelineMaker::place(axes);
    const auto own = place;
    for (const int axis : image.axes) {
        const auto last = static_cast<int>(maker.extent(axis)) - 1;
        const Expr found = maker.read(where, own);
        if (own.count(axis) == 0 || maker.draw.one_in(3)) {
            place[axis] = clamp(found, 0, last);
        } else if (!maker.moves()) {
            continue;
        } else if (maker.draw.flip()) {
            place[axis] = own.at(axis) + clamp(found - 100, -4, 4);
        } else {
            place[axis] = own.at(axis) + found % 4;
        }
    }
    const Expr value = maker.read(image, place);
    maker.add_of_some_type("gather", axes, value);
}

}  // namespace

const PipelineKind &pipeline_kind_gather() {
    static const PipelineKind kind{.name = "gather", .weight = 3, .make = make_gather};
    return kind;
}

}  // namespace emulsion
