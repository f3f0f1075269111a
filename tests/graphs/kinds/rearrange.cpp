#include <cmath>

#include "tests/graphs/graph_maker.h"

namespace emulsion {

using namespace test;

namespace {

std::vector<Value> reference_depth_to_space(const Call &call) {
    const Value &x = call[0];
    const int64_t b = call.integer("blocksize", 1), channels = x.shape[1] / b / b;
    const bool crd = call.node.text("mode", "DCR") == "CRD";
    return {moved_elements(
        x, {x.shape[0], channels, x.shape[2] * b, x.shape[3] * b}, [&](const Shape &at) {
            const int64_t block = at[2] % b * b + at[3] % b;
            return Shape{at[0], crd ? at[1] * b * b + block : block * channels + at[1], at[2] / b,
                         at[3] / b};
        })};
}

std::vector<Value> reference_space_to_depth(const Call &call) {
    const Value &x = call[0];
    const int64_t b = call.integer("blocksize", 1), channels = x.shape[1];
    return {moved_elements(
        x, {x.shape[0], channels * b * b, x.shape[2] / b, x.shape[3] / b}, [&](const Shape &at) {
            const int64_t block = at[1] / channels;
            return Shape{at[0], at[1] % channels, at[2] * b + block / b, at[3] * b + block % b};
        })};
}

std::vector<Value> reference_tile(const Call &call) {
    const Value &x = call[0];
    const Shape repeats = call.integers(1);
    Shape shape = x.shape;
    for (size_t i = 0; i < shape.size(); i++) {
        shape[i] *= repeats[i];
    }
    return {moved_elements(x, shape, [&](Shape at) {
        for (size_t i = 0; i < at.size(); i++) {
            at[i] %= x.shape[i];
        }
        return at;
    })};
}

std::vector<Value> reference_expand(const Call &call) {
    Value y(call[0].type, broadcast_shapes(call[0].shape, call.integers(1)));
    for_each_index(y.shape,
                   [&](const Shape &at, size_t flat) { y.at[flat] = broadcast_at(call[0], at); });
    return {y};
}

std::vector<Value> reference_cast(const Call &call) {
    // TensorProto::DataType.
    static const std::map<int64_t, DataType> types = {
        {1, DataType::F32}, {2, DataType::U8},   {3, DataType::I8},  {6, DataType::I32},
        {7, DataType::I64}, {9, DataType::Bool}, {11, DataType::F64}};
    Value y = call[0];
    y.type = types.at(call.integer("to", 1));
    for (double &v : y.at) {
        v = y.type == DataType::Bool ? (v != 0 ? 1 : 0) : is_float(y.type) ? v : std::trunc(v);
    }
    return {y};
}

void blocks(GraphMaker &maker) {
    const bool to_space = maker.draw.flip();
    const int64_t b = maker.draw.integer(2, 3);
    const TensorId x = maker.pick([&](const Value &v) {
        return v.type == maker.real_type() && v.rank() == 4 &&
               (to_space ? v.shape[1] % (b * b) == 0 : v.shape[2] % b == 0 && v.shape[3] % b == 0);
    });
    if (!to_space) {
        maker.option("SpaceToDepth");
        maker.node("SpaceToDepth", {x}, {{"blocksize", b}});
        return;
    }
    const bool crd = maker.draw.flip();
    maker.option("DepthToSpace");
    maker.option(crd ? "CRD" : "DCR");
    maker.node("DepthToSpace", {x}, {{"blocksize", b}, {"mode", std::string(crd ? "CRD" : "DCR")}});
}

void cast(GraphMaker &maker) {
    const TensorId x = maker.pick([](const Value &) { return true; });
    const DataType from = maker.value(x).type;
    const bool is_bool = from == DataType::Bool;
    const int64_t real = maker.real_type() == DataType::F64 ? 11 : 1;
    const int64_t to = is_float(from) ? maker.draw.of<int64_t>({6, 7, 6, 3, 9})
                                      : maker.draw.of<int64_t>({real, real, 6, 7});
    maker.option(is_float(from) ? (to == 9 ? "Cast: to bool" : "Cast: to integers")
                 : is_bool      ? "Cast: from bool"
                                : "Cast: from integers");
    maker.node("Cast", {x}, {{"to", to}});
}

void make_rearrange(GraphMaker &maker) {
    Draw &draw = maker.draw;
    const int64_t how = draw.integer(0, 7);
    if (how < 2) {
        return blocks(maker);
    }
    if (how < 5) {
        return cast(maker);
    }
    const TensorId x =
        maker.pick([](const Value &v) { return v.rank() > 0 && v.at.size() < 1500; });
    Shape in = maker.shape(x);
    if (how < 7) {
        Shape repeats;
        for (size_t i = 0; i < in.size(); i++) {
            repeats.push_back(draw.one_in(3) ? draw.integer(2, 3) : 1);
        }
        maker.option("Tile");
        maker.node("Tile", {x, maker.list(repeats)});
        return;
    }
    bool any = false;
    for (int64_t &extent : in) {
        if (extent == 1) {
            any = true;
            extent = draw.integer(2, 5);
        }
    }
    if (!any) {
        in.insert(in.begin(), draw.integer(2, 3));
    }
    maker.option("Expand");
    maker.node("Expand", {x, maker.list(in)});
}

}  // namespace

const GraphKind &graph_kind_rearrange() {
    static const GraphKind kind = {
        .name = "Tile, Expand, Cast, blocks",
        .weight = 4,
        .options = {"DepthToSpace", "DCR", "CRD", "SpaceToDepth", "Tile", "Expand", "Cast: to bool",
                    "Cast: to integers", "Cast: from bool", "Cast: from integers"},
        .make = make_rearrange,
        .operators = {{"DepthToSpace", reference_depth_to_space},
                      {"SpaceToDepth", reference_space_to_depth},
                      {"Tile", reference_tile},
                      {"Expand", reference_expand},
                      {"Cast", reference_cast}},
    };
    return kind;
}

}  // namespace emulsion
