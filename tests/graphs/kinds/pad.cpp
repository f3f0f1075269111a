#include <algorithm>
#include <cstdlib>
#include <numeric>

#include "tests/graphs/graph_maker.h"

namespace emulsion {

using namespace test;

namespace {

std::vector<Value> reference_pad(const Call &call) {
    const Value &x = call[0];
    const std::string mode = call.node.text("mode", "constant");
    const Shape pads = call.integers(1);
    Shape axes(x.rank());
    std::iota(axes.begin(), axes.end(), 0);
    axes = call.has(3) ? call.integers(3) : axes;
    Shape before(x.rank(), 0), shape = x.shape;
    for (size_t i = 0; i < axes.size(); i++) {
        const auto axis = static_cast<size_t>(axis_from_start(axes[i], x.rank()));
        before[axis] = pads[i];
        shape[axis] += pads[i] + pads[axes.size() + i];
    }
    const double fill = call.has(2) ? call[2].at[0] : 0.0;
    Value y(x.type, shape);
    for_each_index(shape, [&](const Shape &at, size_t flat) {
        Shape from = at;
        bool inside = true;
        for (size_t i = 0; i < at.size(); i++) {
            const int64_t n = x.shape[i];
            int64_t p = at[i] - before[i];
            inside = inside && p >= 0 && p < n;
            if (mode == "edge") {
                p = std::clamp<int64_t>(p, 0, n - 1);
            } else if (mode == "wrap") {
                p = ((p % n) + n) % n;
            } else if (mode == "reflect") {
                while (p < 0 || p >= n) {
                    p = p < 0 ? -p : 2 * (n - 1) - p;
                }
            }
            from[i] = p;
        }
        y.at[flat] = mode != "constant" || inside ? x(from) : fill;
    });
    return {y};
}

void make_pad(GraphMaker &maker) {
    Draw &draw = maker.draw;
    const TensorId x =
        maker.pick([](const Value &v) { return v.rank() > 0 && v.type != DataType::Bool; });
    const Shape shape = maker.shape(x);
    const auto mode = draw.of<std::string>({"constant", "constant", "edge", "reflect", "wrap"});
    maker.option(mode);
    Shape axes, before, after;
    for (size_t i = 0; i < shape.size(); i++) {
        if (shape.size() > 2 && i < 2 ? draw.one_in(5) : draw.flip()) {
            const int64_t most = mode == "reflect" ? std::min<int64_t>(3, shape[i] - 1)
                                                   : std::min<int64_t>(3, shape[i]);
            axes.push_back(static_cast<int64_t>(i));
            before.push_back(draw.integer(0, most));
            after.push_back(draw.integer(0, most));
            if (shape[i] > 2 && mode == "constant" && draw.one_in(5)) {
                (draw.flip() ? before : after).back() = -1;
                maker.option("negative");
            }
        }
    }
    maker.require(!axes.empty());
    Shape pads = before;
    pads.insert(pads.end(), after.begin(), after.end());
    maker.require(std::any_of(pads.begin(), pads.end(), [](int64_t p) { return p != 0; }));
    const DataType type = maker.value(x).type;
    const TensorId value = mode == "constant" && draw.flip()
                               ? maker.scalar(is_float(type) ? 0.5 : 2, type)
                               : kNoTensor;
    if (value != kNoTensor) {
        maker.option("a value");
    }
    if (!is_float(type)) {
        maker.option("integers");
    }
    maker.node("Pad", {x, maker.list(pads), value, maker.list(axes)}, {{"mode", mode}});
}

}  // namespace

const GraphKind &graph_kind_pad() {
    static const GraphKind kind = {
        .name = "Pad",
        .weight = 5,
        .options = {"constant", "edge", "reflect", "wrap", "negative", "a value", "integers"},
        .make = make_pad,
        .operators = {{"Pad", reference_pad}},
    };
    return kind;
}

}  // namespace emulsion
