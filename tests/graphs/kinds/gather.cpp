#include "tests/graphs/graph_maker.h"

namespace emulsion {

using namespace test;

namespace {

std::vector<Value> reference_gather(const Call &call) {
    const Value &x = call[0], &indices = call[1];
    const auto axis = axis_from_start(call.integer("axis", 0), x.rank());
    Shape shape(x.shape.begin(), x.shape.begin() + axis);
    shape.insert(shape.end(), indices.shape.begin(), indices.shape.end());
    shape.insert(shape.end(), x.shape.begin() + axis + 1, x.shape.end());
    const auto rank = static_cast<int64_t>(indices.rank());
    return {moved_elements(x, shape, [&](const Shape &at) {
        Shape from(at.begin(), at.begin() + axis);
        const auto index =
            static_cast<int64_t>(indices({at.begin() + axis, at.begin() + axis + rank}));
        from.push_back(
            axis_from_start(index, static_cast<size_t>(x.shape[static_cast<size_t>(axis)])));
        from.insert(from.end(), at.begin() + axis + rank, at.end());
        return from;
    })};
}

std::vector<Value> reference_gather_elements(const Call &call) {
    const Value &x = call[0], &indices = call[1];
    const auto axis = static_cast<size_t>(axis_from_start(call.integer("axis", 0), x.rank()));
    return {moved_elements(x, indices.shape, [&](const Shape &at) {
        Shape from = at;
        from[axis] =
            axis_from_start(static_cast<int64_t>(indices(at)), static_cast<size_t>(x.shape[axis]));
        return from;
    })};
}

std::vector<Value> reference_one_hot(const Call &call) {
    Value y(call[2].type, call[0].shape);
    const int64_t depth = call.integers(1)[0];
    const auto axis = axis_from_start(call.integer("axis", -1), y.rank() + 1);
    y = Value(call[2].type, [&] {
        Shape shape = call[0].shape;
        shape.insert(shape.begin() + axis, depth);
        return shape;
    }());
    for_each_index(y.shape, [&](Shape at, size_t flat) {
        const int64_t place = at[static_cast<size_t>(axis)];
        at.erase(at.begin() + axis);
        const auto index = static_cast<int64_t>(call[0](at));
        y.at[flat] =
            call[2].at[axis_from_start(index, static_cast<size_t>(depth)) == place ? 1 : 0];
    });
    return {y};
}

// Values, of a node or new, that index an axis of `extent`.
TensorId indices_for(GraphMaker &maker, const Shape &shape, int64_t extent) {
    Draw &draw = maker.draw;
    if (draw.one_in(3)) {
        maker.option("indices are an input");
        return maker.input(draw.flip() ? DataType::I64 : DataType::I32, shape, -extent, extent - 1);
    }
    maker.option("constant indices");
    Value value(DataType::I64, shape);
    for (double &v : value.at) {
        v = static_cast<double>(draw.integer(-extent, extent - 1));
    }
    return maker.constant(value);
}

void make_gather(GraphMaker &maker) {
    Draw &draw = maker.draw;
    const int64_t how = draw.integer(0, 9);
    if (how == 0) {
        maker.option("OneHot");
        const TensorId indices = maker.pick([](const Value &v) {
            if (v.type != DataType::I64 || v.rank() == 0 || v.rank() > 3) {
                return false;
            }
            for (const double i : v.at) {
                if (i < -7 || i > 6) {
                    return false;
                }
            }
            return true;
        });
        Value values(maker.real_type(), {2});
        values.at = {0.25, 1.5};
        maker.node("OneHot", {indices, maker.list({7}), maker.constant(values)},
                   {{"axis", draw.integer(0, static_cast<int64_t>(maker.shape(indices).size()))}});
        return;
    }
    const TensorId x = maker.pick([](const Value &v) { return v.rank() > 0 && v.rank() < 5; });
    const Shape in = maker.shape(x);
    const auto axis = static_cast<size_t>(draw.below(in.size()));
    const int64_t extent = in[axis];
    maker.option(axis + 1 == in.size() ? "last axis" : axis == 0 ? "first axis" : "inner axis");
    const std::map<std::string, Attribute> attributes = {{"axis", static_cast<int64_t>(axis)}};
    if (how < 3) {
        maker.option("GatherElements");
        Shape shape = in;
        for (int64_t &e : shape) {
            e = draw.flip() ? e : draw.integer(1, e);
        }
        shape[axis] = draw.integer(1, 5);
        maker.node("GatherElements", {x, indices_for(maker, shape, extent)}, attributes);
        return;
    }
    maker.option("Gather");
    if (how < 6) {  // what the graph computes as an index
        const TensorId indices = maker.pick([&](const Value &v) {
            if ((v.type != DataType::I64 && v.type != DataType::I32) || v.rank() > 2) {
                return false;
            }
            for (const double i : v.at) {
                if (i < -static_cast<double>(extent) || i >= static_cast<double>(extent)) {
                    return false;
                }
            }
            return true;
        });
        maker.option("computed indices");
        maker.node("Gather", {x, indices}, attributes);
        return;
    }
    Shape shape;
    for (int64_t i = draw.integer(0, 2); i > 0; i--) {
        shape.push_back(draw.integer(1, 5));
    }
    if (shape.empty()) {
        maker.option("one index");
    }
    maker.node("Gather", {x, indices_for(maker, shape, extent)}, attributes);
}

}  // namespace

const GraphKind &graph_kind_gather() {
    static const GraphKind kind = {
        .name = "Gather",
        .weight = 4,
        .options = {"Gather", "GatherElements", "OneHot", "constant indices",
                    "indices are an input", "computed indices", "one index", "first axis",
                    "inner axis", "last axis"},
        .make = make_gather,
        .operators = {{"Gather", reference_gather},
                      {"GatherElements", reference_gather_elements},
                      {"OneHot", reference_one_hot}},
    };
    return kind;
}

}  // namespace emulsion
