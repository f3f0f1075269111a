#include "tests/graphs/graph_maker.h"

namespace emulsion {

using namespace test;

namespace {

std::vector<Value> reference_cum_sum(const Call &call) {
    const Value &x = call[0];
    const auto axis = static_cast<size_t>(axis_from_start(call.integers(1)[0], x.rank()));
    const bool exclusive = call.integer("exclusive", 0) != 0,
               reverse = call.integer("reverse", 0) != 0;
    Value y(x.type, x.shape);
    for_each_index(x.shape, [&](const Shape &at, size_t flat) {
        Shape from = at;
        for (int64_t i = 0; i < x.shape[axis]; i++) {
            const bool before = reverse ? i > at[axis] : i < at[axis];
            from[axis] = i;
            y.at[flat] += before || (i == at[axis] && !exclusive) ? x(from) : 0.0;
        }
    });
    return {y};
}

std::vector<Value> reference_trilu(const Call &call) {
    const Value &x = call[0];
    const int64_t k = call.has(1) ? call.integers(1)[0] : 0;
    const bool upper = call.integer("upper", 1) != 0;
    Value y = x;
    for_each_index(x.shape, [&](const Shape &at, size_t flat) {
        const int64_t over = at[at.size() - 1] - at[at.size() - 2];
        y.at[flat] = (upper ? over >= k : over <= k) ? y.at[flat] : 0.0;
    });
    return {y};
}

void make_scan(GraphMaker &maker) {
    Draw &draw = maker.draw;
    if (draw.flip()) {
        const TensorId x = maker.pick([](const Value &v) { return v.rank() > 1; });
        const Shape in = maker.shape(x);
        std::vector<TensorId> inputs{x};
        if (draw.flip()) {
            Value k(DataType::I64, {});
            k.at = {static_cast<double>(draw.integer(-2, 2))};
            inputs.push_back(maker.constant(k));
            maker.option("k");
        }
        const int64_t upper = draw.integer(0, 1);
        maker.option("Trilu");
        maker.option(upper != 0 ? "upper" : "lower");
        maker.node("Trilu", inputs, {{"upper", upper}});
        return;
    }
    const TensorId x = maker.pick([&](const Value &v) {
        return v.rank() > 0 &&
               (v.type == maker.real_type() || v.type == DataType::I32 || v.type == DataType::I64);
    });
    const auto axis = draw.below(maker.shape(x).size());
    Value operand(draw.flip() ? DataType::I64 : DataType::I32, {});
    operand.at = {static_cast<double>(axis)};
    const int64_t exclusive = draw.integer(0, 1), reverse = draw.integer(0, 1);
    maker.option("CumSum");
    if (exclusive != 0) {
        maker.option("exclusive");
    }
    if (reverse != 0) {
        maker.option("reverse");
    }
    if (maker.shape(x)[static_cast<size_t>(axis)] == 1) {
        maker.option("an axis of 1");
    }
    maker.node("CumSum", {x, maker.constant(operand)},
               {{"exclusive", exclusive}, {"reverse", reverse}});
}

}  // namespace

const GraphKind &graph_kind_scan() {
    static const GraphKind kind = {
        .name = "CumSum, Trilu",
        .weight = 3,
        .options = {"Trilu", "k", "upper", "lower", "CumSum", "exclusive", "reverse",
                    "an axis of 1"},
        .make = make_scan,
        .operators = {{"CumSum", reference_cum_sum}, {"Trilu", reference_trilu}},
    };
    return kind;
}

}  // namespace emulsion
