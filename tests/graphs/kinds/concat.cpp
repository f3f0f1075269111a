#include "tests/graphs/graph_maker.h"

namespace emulsion {

using namespace test;

namespace {

std::vector<Value> reference_concat(const Call &call) {
    const auto axis = static_cast<size_t>(axis_from_start(call.integer("axis", 0), call[0].rank()));
    Shape shape = call[0].shape;
    shape[axis] = 0;
    for (const Value *each : call.inputs) {
        shape[axis] += each->shape[axis];
    }
    Value y(call[0].type, shape);
    int64_t start = 0;
    for (const Value *each : call.inputs) {
        for_each_index(each->shape, [&](const Shape &at, size_t flat) {
            Shape to = at;
            to[axis] += start;
            y(to) = each->at[flat];
        });
        start += each->shape[axis];
    }
    return {y};
}

void make_concat(GraphMaker &maker) {
    Draw &draw = maker.draw;
    const TensorId x = maker.pick([](const Value &v) { return v.rank() > 0; });
    const Shape shape = maker.shape(x);
    const DataType type = maker.value(x).type;
    const auto axis = static_cast<size_t>(draw.one_in(3)     ? draw.below(shape.size())
                                          : shape.size() > 1 ? 1
                                                             : 0);
    const auto fits = [&](const Value &v) {
        bool same = v.type == type && v.rank() == shape.size();
        for (size_t i = 0; same && i < shape.size(); i++) {
            same = i == axis || v.shape[i] == shape[i];
        }
        return same;
    };
    std::vector<TensorId> parts{x};
    for (int64_t i = draw.integer(1, 3); i > 0; i--) {
        if (draw.one_in(6) && type == maker.real_type()) {
            Shape small = shape;
            small[axis] = draw.integer(1, 3);
            parts.push_back(maker.weights(small));
            maker.option("a constant");
        } else {
            parts.push_back(maker.pick(fits));
            if (parts.back() == x) {
                maker.option("a value twice");
            }
        }
    }
    if (draw.flip()) {
        std::swap(parts.front(), parts.back());
    }
    maker.option(axis + 1 == shape.size() ? "last axis" : axis == 0 ? "first axis" : "inner axis");
    maker.option(parts.size() == 2 ? "two" : "several");
    if (!is_float(type)) {
        maker.option("integers");
    }
    maker.node(
        "Concat", parts,
        {{"axis", draw.flip() ? static_cast<int64_t>(axis)
                              : static_cast<int64_t>(axis) - static_cast<int64_t>(shape.size())}});
}

}  // namespace

const GraphKind &graph_kind_concat() {
    static const GraphKind kind = {
        .name = "Concat",
        .weight = 6,
        .options = {"first axis", "inner axis", "last axis", "two", "several", "a constant",
                    "a value twice", "integers"},
        .make = make_concat,
        .operators = {{"Concat", reference_concat}},
    };
    return kind;
}

}  // namespace emulsion
