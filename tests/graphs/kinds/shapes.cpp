#include <algorithm>
#include <numeric>

#include "tests/graphs/graph_maker.h"

namespace emulsion {

using namespace test;

namespace {

Value reshaped(const Value &x, Shape shape) {
    Value y = x;
    y.shape = std::move(shape);
    return y;
}

std::vector<Value> reference_transpose(const Call &call) {
    const Value &x = call[0];
    Shape turned(x.rank());
    std::iota(turned.rbegin(), turned.rend(), 0);
    const Shape perm = call.node.integers("perm", turned);
    Shape shape;
    for (const int64_t axis : perm) {
        shape.push_back(x.shape[static_cast<size_t>(axis)]);
    }
    return {moved_elements(x, shape, [&](const Shape &at) {
        Shape from(at.size());
        for (size_t i = 0; i < at.size(); i++) {
            from[static_cast<size_t>(perm[i])] = at[i];
        }
        return from;
    })};
}

std::vector<Value> reference_reshape(const Call &call) {
    Shape shape = call.integers(1);
    int64_t known = 1;
    for (size_t i = 0; i < shape.size(); i++) {
        shape[i] = shape[i] == 0 ? call[0].shape[i] : shape[i];
        known *= shape[i] < 0 ? 1 : shape[i];
    }
    for (int64_t &extent : shape) {
        extent = extent < 0 ? static_cast<int64_t>(call[0].at.size()) / known : extent;
    }
    return {reshaped(call[0], shape)};
}

std::vector<Value> reference_flatten(const Call &call) {
    const int64_t axis = axis_from_start(call.integer("axis", 1), call[0].rank());
    int64_t rows = 1;
    for (int64_t i = 0; i < axis; i++) {
        rows *= call[0].shape[static_cast<size_t>(i)];
    }
    return {reshaped(call[0], {rows, static_cast<int64_t>(call[0].at.size()) / rows})};
}

std::vector<Value> reference_squeeze(const Call &call) {
    Shape shape;
    const Shape axes = call.integers(1);
    for (size_t i = 0; i < call[0].rank(); i++) {
        const bool gone = std::any_of(axes.begin(), axes.end(), [&](int64_t a) {
            return axis_from_start(a, call[0].rank()) == static_cast<int64_t>(i);
        });
        if (!gone) {
            shape.push_back(call[0].shape[i]);
        }
    }
    return {reshaped(call[0], shape)};
}

std::vector<Value> reference_unsqueeze(const Call &call) {
    Shape axes = call.integers(1), shape = call[0].shape;
    for (int64_t &axis : axes) {
        axis = axis_from_start(axis, shape.size() + axes.size());
    }
    std::sort(axes.begin(), axes.end());
    for (const int64_t axis : axes) {
        shape.insert(shape.begin() + axis, 1);
    }
    return {reshaped(call[0], shape)};
}

void reshape(GraphMaker &maker, TensorId x) {
    Draw &draw = maker.draw;
    Shape to = maker.shape(x);
    const auto fold = [&] {  // two neighbours become one
        maker.require(to.size() > 1);
        const auto at = static_cast<int64_t>(draw.below(to.size() - 1));
        to[static_cast<size_t>(at)] *= to[static_cast<size_t>(at) + 1];
        to.erase(to.begin() + at + 1);
    };
    switch (draw.integer(0, 4)) {
    case 0:
        fold();
        maker.option("Reshape: axes joined");
        break;
    case 1: {
        const auto at = static_cast<size_t>(draw.below(to.size()));
        const int64_t by = draw.of<int64_t>({2, 3, 4});
        maker.require(to[at] % by == 0 && to.size() < 6);
        to[at] /= by;
        to.insert(to.begin() + static_cast<int64_t>(at), by);
        maker.option("Reshape: an axis split");
        break;
    }
    case 2:
        std::reverse(to.begin(), to.end());
        maker.option("Reshape: extents turned");
        break;
    case 3:
        to = {draw.flip() ? int64_t{-1} : element_count(to)};
        maker.option("Reshape: flat");
        break;
    default:
        to.front() = 0;
        to.back() = to.size() > 1 ? -1 : to.back();
        maker.require(to.size() > 1);
        maker.option("Reshape: 0 and -1");
    }
    maker.node("Reshape", {x, maker.list(to)});
}

void transpose(GraphMaker &maker, TensorId x) {
    Shape perm(maker.shape(x).size());
    std::iota(perm.begin(), perm.end(), 0);
    const int64_t how = maker.draw.integer(0, 3);
    if (how == 0) {
        std::swap(perm.back(), perm[perm.size() - 2]);
        maker.option("Transpose: last two");
    } else if (how == 1 && perm.size() > 2) {
        std::rotate(perm.begin() + 1, perm.begin() + 2, perm.end());
        maker.option("Transpose: channels last");
    } else if (how == 2 && perm.size() > 2) {
        std::rotate(perm.begin() + 1, perm.end() - 1, perm.end());
        maker.option("Transpose: channels first");
    } else {
        for (size_t i = perm.size(); i-- > 1;) {
            std::swap(perm[i], perm[static_cast<size_t>(maker.draw.below(i + 1))]);
        }
        maker.option("Transpose: any");
    }
    maker.node("Transpose", {x}, {{"perm", perm}});
}

void make_shapes(GraphMaker &maker) {
    Draw &draw = maker.draw;
    const int64_t how = draw.integer(0, 7);
    const TensorId x = maker.pick([&](const Value &v) { return v.rank() > (how < 4 ? 1 : 0); });
    const Shape shape = maker.shape(x);
    if (!is_float(maker.value(x).type)) {
        maker.option("integers");
    }
    if (how < 4) {
        transpose(maker, x);
    } else if (how < 6) {
        reshape(maker, x);
    } else if (how == 6) {
        maker.option("Flatten");
        maker.node("Flatten", {x}, {{"axis", draw.integer(0, static_cast<int64_t>(shape.size()))}});
    } else if (draw.flip()) {
        Shape axes;
        for (size_t i = 0; i < shape.size(); i++) {
            if (shape[i] == 1) {
                axes.push_back(static_cast<int64_t>(i));
            }
        }
        maker.require(!axes.empty());
        maker.option("Squeeze");
        maker.node("Squeeze", {x, maker.list(axes)});
    } else {
        maker.require(shape.size() < 5);
        maker.option("Unsqueeze");
        maker.node("Unsqueeze",
                   {x, maker.list({draw.integer(0, static_cast<int64_t>(shape.size()))})});
    }
}

}  // namespace

const GraphKind &graph_kind_shapes() {
    static const GraphKind kind = {
        .name = "Transpose, Reshape",
        .weight = 6,
        .options = {"Transpose: last two", "Transpose: channels last", "Transpose: channels first",
                    "Transpose: any", "Reshape: axes joined", "Reshape: an axis split",
                    "Reshape: extents turned", "Reshape: flat", "Reshape: 0 and -1", "Flatten",
                    "Squeeze", "Unsqueeze", "integers"},
        .make = make_shapes,
        .operators = {{"Transpose", reference_transpose},
                      {"Reshape", reference_reshape},
                      {"Flatten", reference_flatten},
                      {"Squeeze", reference_squeeze},
                      {"Unsqueeze", reference_unsqueeze}},
    };
    return kind;
}

}  // namespace emulsion
