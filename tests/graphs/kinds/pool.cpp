#include <cmath>
#include <limits>

#include "tests/graphs/windows.h"

namespace emulsion {

using namespace test;

namespace {

std::vector<Value> reference_pool(const Call &call) {
    const Value &x = call[0];
    const std::string &type = call.node.operator_type;
    const Shape kernel = call.node.integers("kernel_shape", {});
    const auto windows = windows_of(call.node, x.shape, kernel);
    Shape shape{x.shape[0], x.shape[1]};
    for (const WindowAxis &axis : windows) {
        shape.push_back(axis.output);
    }
    const bool count_pad = call.integer("count_include_pad", 0) != 0;
    const auto p = static_cast<double>(call.integer("p", 2));
    Value y(x.type, shape);
    for_each_index(shape, [&](const Shape &at, size_t flat) {
        double sum = 0, largest = -std::numeric_limits<double>::infinity();
        int64_t count = 0;
        Shape from(at.begin(), at.begin() + 2);
        from.resize(at.size());
        for_each_index(kernel, [&](const Shape &tap, size_t) {
            bool inside = true, padded = true;  // of the operand; of the operand with its pads
            for (size_t i = 0; i < windows.size(); i++) {
                from[i + 2] = windows[i].position(at[i + 2], tap[i]);
                inside = inside && windows[i].inside(from[i + 2]);
                padded = padded && from[i + 2] < windows[i].input + windows[i].after;
            }
            count += (count_pad ? padded : inside) ? 1 : 0;
            if (inside) {
                const double v = x(from);
                sum += type == "LpPool" ? std::pow(std::abs(v), p) : v;
                largest = std::max(largest, v);
            }
        });
        y.at[flat] = type == "MaxPool"  ? largest
                     : type == "LpPool" ? std::pow(sum, 1 / p)
                                        : sum / static_cast<double>(count);
    });
    return {y};
}

std::vector<Value> reference_global(const Call &call) {
    const Value &x = call[0];
    Shape shape(x.rank(), 1);
    shape[0] = x.shape[0];
    shape[1] = x.shape[1];
    Value y(x.type, shape);
    const size_t plane = x.at.size() / y.at.size();
    for (size_t i = 0; i < y.at.size(); i++) {
        double sum = 0, largest = x.at[i * plane];
        for (size_t j = 0; j < plane; j++) {
            sum += x.at[i * plane + j];
            largest = std::max(largest, x.at[i * plane + j]);
        }
        y.at[i] =
            call.node.operator_type == "GlobalMaxPool" ? largest : sum / static_cast<double>(plane);
    }
    return {y};
}

void make_pool(GraphMaker &maker) {
    Draw &draw = maker.draw;
    const TensorId x = maker.pick_image(1, 3);
    if (draw.one_in(6)) {
        const auto type = draw.of<std::string>({"GlobalAveragePool", "GlobalMaxPool"});
        maker.option(type);
        maker.node(type, {x});
        return;
    }
    DrawnWindows windows = draw_windows(maker, maker.shape(x), true);
    const auto type =
        draw.of<std::string>({"MaxPool", "MaxPool", "AveragePool", "AveragePool", "LpPool"});
    maker.option(type);
    if (type == "AveragePool" && draw.flip()) {
        windows.attributes["count_include_pad"] = int64_t{1};
        maker.option("count_include_pad");
    }
    maker.node(type, {x}, windows.attributes);
}

}  // namespace

const GraphKind &graph_kind_pool() {
    static const GraphKind kind = {
        .name = "Pool",
        .weight = 5,
        .options = window_options(true, {"MaxPool", "AveragePool", "LpPool", "GlobalAveragePool",
                                         "GlobalMaxPool", "count_include_pad"}),
        .make = make_pool,
        .operators = {{"MaxPool", reference_pool},
                      {"AveragePool", reference_pool},
                      {"LpPool", reference_pool},
                      {"GlobalAveragePool", reference_global},
                      {"GlobalMaxPool", reference_global}},
    };
    return kind;
}

}  // namespace emulsion
