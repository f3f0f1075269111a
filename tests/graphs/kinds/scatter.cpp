#include <algorithm>
#include <numeric>

#include "tests/graphs/graph_maker.h"

namespace emulsion {

using namespace test;

namespace {

double scattered(const std::string &reduction, double old, double update) {
    return reduction == "none"  ? update
           : reduction == "add" ? old + update
           : reduction == "mul" ? old * update
           : reduction == "max" ? std::max(old, update)
                                : std::min(old, update);
}

// `x` with every update where place(its index) says.
template<typename Place>
Value with_updates(const Call &call, Place place) {
    Value y = call[0];
    const std::string reduction = call.node.text("reduction", "none");
    for_each_index(call[2].shape, [&](const Shape &at, size_t flat) {
        double &element = y(place(at));
        element = scattered(reduction, element, call[2].at[flat]);
    });
    return y;
}

std::vector<Value> reference_scatter_elements(const Call &call) {
    const auto axis = static_cast<size_t>(axis_from_start(call.integer("axis", 0), call[0].rank()));
    return {with_updates(call, [&](Shape at) {
        at[axis] = axis_from_start(static_cast<int64_t>(call[1](at)),
                                   static_cast<size_t>(call[0].shape[axis]));
        return at;
    })};
}

// What the last axis of `indices` holds at `outer`: coordinates of x's axes from `first` on.
Shape coordinates(const Value &indices, Shape outer, const Value &x, size_t first) {
    Shape at;
    outer.push_back(0);
    for (int64_t k = 0; k < indices.shape.back(); k++) {
        outer.back() = k;
        at.push_back(axis_from_start(static_cast<int64_t>(indices(outer)),
                                     static_cast<size_t>(x.shape[first + static_cast<size_t>(k)])));
    }
    return at;
}

std::vector<Value> reference_scatter_nd(const Call &call) {
    const auto outer = static_cast<ptrdiff_t>(call[1].rank()) - 1;
    return {with_updates(call, [&](const Shape &at) {
        Shape place = coordinates(call[1], {at.begin(), at.begin() + outer}, call[0], 0);
        place.insert(place.end(), at.begin() + outer, at.end());
        return place;
    })};
}

std::vector<Value> reference_gather_nd(const Call &call) {
    const Value &x = call[0], &indices = call[1];
    const auto batch = static_cast<ptrdiff_t>(call.integer("batch_dims", 0));
    const auto outer = static_cast<ptrdiff_t>(indices.rank()) - 1;
    Shape shape(indices.shape.begin(), indices.shape.end() - 1);
    shape.insert(shape.end(), x.shape.begin() + batch + indices.shape.back(), x.shape.end());
    return {moved_elements(x, shape, [&](const Shape &at) {
        Shape from(at.begin(), at.begin() + batch);
        const Shape indexed =
            coordinates(indices, {at.begin(), at.begin() + outer}, x, static_cast<size_t>(batch));
        from.insert(from.end(), indexed.begin(), indexed.end());
        from.insert(from.end(), at.begin() + outer, at.end());
        return from;
    })};
}

std::vector<int64_t> shuffled(Draw &draw, int64_t count) {
    std::vector<int64_t> numbers(static_cast<size_t>(count));
    std::iota(numbers.begin(), numbers.end(), 0);
    for (size_t i = numbers.size(); i-- > 1;) {
        std::swap(numbers[i],
                  numbers[static_cast<size_t>(draw.integer(0, static_cast<int64_t>(i)))]);
    }
    return numbers;
}

// Now and then from the end.
int64_t spelt(Draw &draw, int64_t index, int64_t extent) {
    return draw.one_in(4) ? index - extent : index;
}

// How updates are combined. Without, no element may be written twice: ONNX doesn't say which one wins.
std::string draw_reduction(GraphMaker &maker) {
    const auto reduction =
        maker.draw.of<std::string>({"none", "none", "none", "add", "mul", "max", "min"});
    maker.option(reduction == "none" ? "no reduction" : reduction);
    return reduction;
}

TensorId draw_updates(GraphMaker &maker, const Shape &shape) {
    if (maker.draw.one_in(3)) {
        maker.option("computed updates");
        return maker.pick(
            [&](const Value &v) { return v.type == maker.real_type() && v.shape == shape; });
    }
    return maker.weights(shape);
}

void make_scatter_elements(GraphMaker &maker) {
    Draw &draw = maker.draw;
    const TensorId x = maker.pick_real(1, 4);
    const Shape in = maker.shape(x);
    const auto axis = static_cast<size_t>(draw.below(in.size()));
    maker.option("ScatterElements");
    const std::string reduction = draw_reduction(maker);
    Shape shape = in;
    for (int64_t &extent : shape) {
        extent = draw.one_in(3) ? extent : draw.integer(1, extent);
    }
    Value indices(DataType::I64, shape);
    // Along the axis no index twice where an element may be written once only.
    const std::vector<int64_t> order = shuffled(draw, in[axis]);
    for_each_index(shape, [&](const Shape &at, size_t flat) {
        const int64_t index = reduction == "none" ? order[static_cast<size_t>(at[axis])]
                                                  : draw.integer(0, in[axis] - 1);
        indices.at[flat] = static_cast<double>(spelt(draw, index, in[axis]));
    });
    maker.node("ScatterElements", {x, maker.constant(indices), draw_updates(maker, shape)},
               {{"axis", static_cast<int64_t>(axis)}, {"reduction", reduction}});
}

void make_scatter_nd(GraphMaker &maker) {
    Draw &draw = maker.draw;
    const TensorId x = maker.pick_real(1, 5);
    const Shape in = maker.shape(x);
    const int64_t depth = draw.integer(1, static_cast<int64_t>(in.size()));
    maker.option("ScatterND");
    maker.option(depth == static_cast<int64_t>(in.size()) ? "elements" : "slices");
    const std::string reduction = draw_reduction(maker);
    const Shape indexed(in.begin(), in.begin() + depth);
    const int64_t places = element_count(indexed);
    const int64_t count = draw.integer(1, std::min<int64_t>(places, 9));
    const std::vector<int64_t> order = shuffled(draw, places);
    Value indices(DataType::I64, {count, depth});
    for (int64_t i = 0; i < count; i++) {
        int64_t place =
            reduction == "none" ? order[static_cast<size_t>(i)] : draw.integer(0, places - 1);
        for (int64_t k = depth; k-- > 0;) {
            const int64_t extent = in[static_cast<size_t>(k)];
            indices({i, k}) = static_cast<double>(spelt(draw, place % extent, extent));
            place /= extent;
        }
    }
    Shape shape{count};
    shape.insert(shape.end(), in.begin() + depth, in.end());
    maker.node("ScatterND", {x, maker.constant(indices), draw_updates(maker, shape)},
               {{"reduction", reduction}});
}

void make_gather_nd(GraphMaker &maker) {
    Draw &draw = maker.draw;
    const TensorId x = maker.pick([](const Value &v) { return v.rank() > 0 && v.rank() < 6; });
    const Shape in = maker.shape(x);
    const int64_t batch = draw.one_in(3) ? draw.integer(0, static_cast<int64_t>(in.size()) - 1) : 0;
    const int64_t depth = draw.integer(1, static_cast<int64_t>(in.size()) - batch);
    maker.option("GatherND");
    if (batch > 0) {
        maker.option("batch_dims");
    }
    Shape shape(in.begin(), in.begin() + batch);
    for (int64_t i = draw.integer(0, 2); i > 0; i--) {
        shape.push_back(draw.integer(1, 4));
    }
    shape.push_back(depth);
    Value indices(DataType::I64, shape);
    for_each_index(shape, [&](const Shape &at, size_t flat) {
        const int64_t extent = in[static_cast<size_t>(batch + at.back())];
        indices.at[flat] = static_cast<double>(draw.integer(-extent, extent - 1));
    });
    maker.node("GatherND", {x, maker.constant(indices)}, {{"batch_dims", batch}});
}

void make_scatter(GraphMaker &maker) {
    switch (maker.draw.integer(0, 2)) {
    case 0: return make_scatter_elements(maker);
    case 1: return make_scatter_nd(maker);
    default: return make_gather_nd(maker);
    }
}

}  // namespace

const GraphKind &graph_kind_scatter() {
    static const GraphKind kind = {
        .name = "Scatter, GatherND",
        .weight = 2,
        .options = {"ScatterElements", "ScatterND", "GatherND", "no reduction", "add", "mul", "max",
                    "min", "elements", "slices", "computed updates", "batch_dims"},
        .make = make_scatter,
        .operators = {{"ScatterElements", reference_scatter_elements},
                      {"ScatterND", reference_scatter_nd},
                      {"GatherND", reference_gather_nd}},
    };
    return kind;
}

}  // namespace emulsion
