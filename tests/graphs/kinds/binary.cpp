#include <cmath>

#include "tests/graphs/graph_maker.h"

namespace emulsion {

using namespace test;

namespace {

bool is_bitwise(const std::string &op) { return op.starts_with("Bitwise"); }

double apply(const Node &node, double a, double b, DataType type) {
    const std::string &op = node.operator_type;
    if (op == "Add" || op == "Sum") {
        return a + b;
    }
    if (op == "Sub") {
        return a - b;
    }
    if (op == "Mul") {
        return a * b;
    }
    if (op == "Max") {
        return std::max(a, b);
    }
    if (op == "Min") {
        return std::min(a, b);
    }
    if (op == "Div") {
        return is_float(type) ? a / b : std::trunc(a / b);
    }
    if (op == "PRelu") {
        return a < 0 ? a * b : a;
    }
    if (op == "Mod") {
        return node.integer("fmod", 0) != 0 ? std::fmod(a, b) : a - b * std::floor(a / b);
    }
    if (is_bitwise(op)) {
        const auto x = static_cast<int64_t>(a), y = static_cast<int64_t>(b);
        return static_cast<double>(op == "BitwiseAnd" ? x & y : op == "BitwiseOr" ? x | y : x ^ y);
    }
    return std::pow(a, b);
}

std::vector<Value> reference_binary(const Call &call) {
    Value y = call[0];
    for (size_t i = 1; i < call.inputs.size(); i++) {
        const Value &b = call[i];
        Value next(y.type, broadcast_shapes(y.shape, b.shape));
        for_each_index(next.shape, [&](const Shape &at, size_t flat) {
            next.at[flat] = apply(call.node, broadcast_at(y, at), broadcast_at(b, at), y.type);
        });
        y = std::move(next);
    }
    return {y};
}

// A shape that broadcasts to `shape`.
Shape smaller(GraphMaker &maker, Shape shape) {
    Draw &draw = maker.draw;
    for (int64_t &extent : shape) {
        extent = draw.flip() ? 1 : extent;
    }
    if (!shape.empty() && draw.flip()) {
        shape.erase(shape.begin(), shape.begin() + draw.below(shape.size() + 1));
        maker.option("of lower rank");
    }
    return shape;
}

void make_binary(GraphMaker &maker) {
    Draw &draw = maker.draw;
    const bool integers = draw.one_in(6);
    const TensorId x = integers ? maker.pick([](const Value &v) {
        return v.type == DataType::I64 || v.type == DataType::I32 || v.type == DataType::I8 ||
               v.type == DataType::U8;
    })
                                : maker.pick_real(0, 6);
    const DataType element = maker.value(x).type;
    const Shape in = maker.shape(x);
    const auto op =
        draw.of<std::string>({"Add", "Add", "Mul", "Mul", "Sub", "Max", "Min", "Div", "Pow", "Sum",
                              "Mod", "PRelu", "BitwiseAnd", "BitwiseOr", "BitwiseXor"});
    maker.require(integers ? op != "Pow" && op != "PRelu" && op != "Sum" : !is_bitwise(op));
    maker.option(op);
    TensorId other = kNoTensor;
    const int64_t how = draw.integer(0, 5);
    const auto compatible = [&](const Value &v) {
        return v.type == element && broadcasts_to(v.shape, in);
    };
    std::map<std::string, Attribute> attributes;
    const bool divides = op == "Div" || op == "Mod";
    if (how < 2 && !divides && op != "Pow") {
        other = maker.pick([&](const Value &v) { return v.type == element && v.shape == in; });
        maker.option(other == x ? "with itself" : "two values");
    } else if (how == 2 && !divides && op != "Pow") {
        other = maker.pick([&](const Value &v) { return compatible(v) && v.shape != in; });
        maker.option("broadcast value");
    } else {
        Shape shape = how == 3 ? Shape{} : smaller(maker, in);
        maker.option(how == 3 ? "scalar" : "constant");
        if (integers || divides || op == "Pow") {
            Value v(element, shape);
            for (double &e : v.at) {
                e = op == "Pow" ? 2.0 : static_cast<double>(draw.integer(divides ? 2 : 0, 5));
            }
            other = maker.constant(v);
        } else {
            other = maker.weights(shape);
        }
        if (op == "Mod") {
            for (const double v : maker.value(x).at) {
                maker.require(v >= 0);
            }
            if (!integers) {
                attributes["fmod"] = int64_t{1};
            }
        }
        if (op == "Pow") {
            maker.require(element == maker.real_type());
        }
    }
    if (integers) {
        maker.option("integers");
    }
    const bool turned = op != "PRelu" && !divides && op != "Pow" && draw.flip();
    maker.node(op, turned ? std::vector<TensorId>{other, x} : std::vector<TensorId>{x, other},
               attributes);
}

}  // namespace

const GraphKind &graph_kind_binary() {
    static const GraphKind kind = [] {
        GraphKind made{.name = "Binary",
                       .weight = 8,
                       .options = {"two values", "with itself", "broadcast value", "constant",
                                   "scalar", "of lower rank", "integers"},
                       .make = make_binary,
                       .operators = {}};
        for (const char *name : {"Add", "Sub", "Mul", "Max", "Min", "Div", "Pow", "Sum", "Mod",
                                 "PRelu", "BitwiseAnd", "BitwiseOr", "BitwiseXor"}) {
            made.options.emplace_back(name);
            made.operators[name] = reference_binary;
        }
        return made;
    }();
    return kind;
}

}  // namespace emulsion
