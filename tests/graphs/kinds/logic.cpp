#include "tests/graphs/graph_maker.h"

namespace emulsion {

using namespace test;

namespace {

bool holds(const std::string &op, double a, double b) {
    return op == "Less"             ? a < b
           : op == "LessOrEqual"    ? a <= b
           : op == "Greater"        ? a > b
           : op == "GreaterOrEqual" ? a >= b
           : op == "Equal"          ? a == b
           : op == "And"            ? a != 0 && b != 0
           : op == "Or"             ? a != 0 || b != 0
                                    : (a != 0) != (b != 0);
}

std::vector<Value> reference_compare(const Call &call) {
    Value y(DataType::Bool, broadcast_shapes(call[0].shape, call[1].shape));
    for_each_index(y.shape, [&](const Shape &at, size_t flat) {
        y.at[flat] =
            holds(call.node.operator_type, broadcast_at(call[0], at), broadcast_at(call[1], at))
                ? 1
                : 0;
    });
    return {y};
}

std::vector<Value> reference_not(const Call &call) {
    Value y = call[0];
    for (double &v : y.at) {
        v = v != 0 ? 0 : 1;
    }
    return {y};
}

std::vector<Value> reference_where(const Call &call) {
    Value y(call[1].type,
            broadcast_shapes(call[0].shape, broadcast_shapes(call[1].shape, call[2].shape)));
    for_each_index(y.shape, [&](const Shape &at, size_t flat) {
        y.at[flat] = broadcast_at(call[broadcast_at(call[0], at) != 0 ? 1 : 2], at);
    });
    return {y};
}

void compare(GraphMaker &maker) {
    Draw &draw = maker.draw;
    const TensorId x = maker.pick([](const Value &v) { return v.type != DataType::Bool; });
    const DataType type = maker.value(x).type;
    const auto op =
        draw.of<std::string>({"Less", "LessOrEqual", "Greater", "GreaterOrEqual", "Equal"});
    maker.option(op);
    TensorId other = maker.scalar(
        is_float(type) ? draw.real(-0.5, 0.5) : static_cast<double>(draw.integer(0, 3)), type);
    if (draw.flip()) {
        other = maker.pick([&](const Value &v) {
            return v.type == type && broadcasts_to(v.shape, maker.shape(x));
        });
        maker.option("two values");
    }
    if (!is_float(type)) {
        maker.option("integers");
    }
    maker.node(op, {x, other});
}

void combine(GraphMaker &maker) {
    const auto is_bool = [](const Value &v) { return v.type == DataType::Bool; };
    const TensorId a = maker.pick(is_bool);
    const auto op = maker.draw.of<std::string>({"And", "Or", "Xor", "Not"});
    maker.option(op);
    if (op == "Not") {
        maker.node(op, {a});
        return;
    }
    maker.node(op, {a, maker.pick([&](const Value &v) {
                        return is_bool(v) && broadcasts_to(v.shape, maker.shape(a));
                    })});
}

void choose(GraphMaker &maker) {
    Draw &draw = maker.draw;
    const TensorId x = maker.pick([](const Value &v) { return v.type != DataType::Bool; });
    const Shape shape = maker.shape(x);
    TensorId condition = kNoTensor;
    if (draw.flip()) {
        Shape small = shape;
        for (int64_t &extent : small) {
            extent = draw.one_in(3) ? 1 : extent;
        }
        condition = maker.input(DataType::Bool, small);
    } else {
        condition = maker.pick([&](const Value &v) {
            return v.type == DataType::Bool && broadcasts_to(v.shape, shape);
        });
        maker.option("computed condition");
    }
    const DataType type = maker.value(x).type;
    TensorId other = maker.scalar(is_float(type) ? 0.5 : 1, type);
    if (draw.flip()) {
        other = maker.pick(
            [&](const Value &v) { return v.type == type && broadcasts_to(v.shape, shape); });
    }
    maker.option("Where");
    maker.node("Where", draw.flip() ? std::vector<TensorId>{condition, x, other}
                                    : std::vector<TensorId>{condition, other, x});
}

void make_logic(GraphMaker &maker) {
    switch (maker.draw.integer(0, 3)) {
    case 0: return compare(maker);
    case 1: return combine(maker);
    default: return choose(maker);
    }
}

}  // namespace

const GraphKind &graph_kind_logic() {
    static const GraphKind kind = [] {
        GraphKind made{.name = "Logic",
                       .weight = 4,
                       .options = {"two values", "integers", "Not", "Where", "computed condition"},
                       .make = make_logic,
                       .operators = {{"Not", reference_not}, {"Where", reference_where}}};
        for (const char *name :
             {"Less", "LessOrEqual", "Greater", "GreaterOrEqual", "Equal", "And", "Or", "Xor"}) {
            made.options.emplace_back(name);
            made.operators[name] = reference_compare;
        }
        return made;
    }();
    return kind;
}

}  // namespace emulsion
