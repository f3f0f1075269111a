#include <cmath>
#include <functional>
#include <numeric>

#include "tests/graphs/graph_maker.h"

namespace emulsion {

using namespace test;

namespace {

// Calls work(indices) with the flat indices of the elements that agree on key(index).
void for_each_set(const Value &x, const std::function<int64_t(const Shape &)> &key,
                  const std::function<void(const std::vector<size_t> &)> &work) {
    std::map<int64_t, std::vector<size_t>> sets;
    for_each_index(x.shape, [&](const Shape &at, size_t flat) { sets[key(at)].push_back(flat); });
    for (const auto &[of, set] : sets) {
        work(set);
    }
}

// (x - mean) / sqrt(variance + epsilon) over every set.
Value normalized(const Value &x, double epsilon, bool centred,
                 const std::function<int64_t(const Shape &)> &key) {
    Value y = x;
    for_each_set(x, key, [&](const std::vector<size_t> &set) {
        const auto count = static_cast<double>(set.size());
        double mean = 0, square = 0;
        for (const size_t i : set) {
            mean += centred ? x.at[i] / count : 0.0;
        }
        for (const size_t i : set) {
            square += (x.at[i] - mean) * (x.at[i] - mean) / count;
        }
        for (const size_t i : set) {
            y.at[i] = (x.at[i] - mean) / std::sqrt(square + epsilon);
        }
    });
    return y;
}

double of_channel(const Value &v, const Shape &at) { return v.at[static_cast<size_t>(at[1])]; }

std::vector<Value> reference_batch(const Call &call) {
    Value y = call[0];
    const double epsilon = call.node.real("epsilon", 1e-5);
    for_each_index(y.shape, [&](const Shape &at, size_t flat) {
        y.at[flat] = (y.at[flat] - of_channel(call[3], at)) /
                         std::sqrt(of_channel(call[4], at) + epsilon) * of_channel(call[1], at) +
                     of_channel(call[2], at);
    });
    return {y};
}

std::vector<Value> reference_instance_or_group(const Call &call) {
    const Value &x = call[0];
    const int64_t channels = x.shape[1];
    const int64_t groups =
        call.node.operator_type == "GroupNormalization" ? call.integer("num_groups", 1) : channels;
    Value y = normalized(x, call.node.real("epsilon", 1e-5), true, [&](const Shape &at) {
        return at[0] * groups + at[1] / (channels / groups);
    });
    for_each_index(y.shape, [&](const Shape &at, size_t flat) {
        y.at[flat] = y.at[flat] * of_channel(call[1], at) + of_channel(call[2], at);
    });
    return {y};
}

std::vector<Value> reference_layer(const Call &call) {
    const Value &x = call[0];
    const auto axis = static_cast<size_t>(axis_from_start(call.integer("axis", -1), x.rank()));
    Value y = normalized(x, call.node.real("epsilon", 1e-5),
                         call.node.operator_type == "LayerNormalization", [&](const Shape &at) {
                             int64_t row = 0;
                             for (size_t i = 0; i < axis; i++) {
                                 row = row * x.shape[i] + at[i];
                             }
                             return row;
                         });
    for_each_index(y.shape, [&](const Shape &at, size_t flat) {
        y.at[flat] = y.at[flat] * broadcast_at(call[1], at) +
                     (call.has(2) ? broadcast_at(call[2], at) : 0.0);
    });
    return {y};
}

std::vector<Value> reference_lrn(const Call &call) {
    const Value &x = call[0];
    const int64_t size = call.integer("size", 1), before = (size - 1) / 2;
    Value y = x;
    for_each_index(x.shape, [&](const Shape &at, size_t flat) {
        double sum = 0;
        Shape from = at;
        for (int64_t c = at[1] - before; c < at[1] - before + size; c++) {
            if (c >= 0 && c < x.shape[1]) {
                from[1] = c;
                sum += x(from) * x(from);
            }
        }
        y.at[flat] =
            x.at[flat] / std::pow(call.node.real("bias", 1) + call.node.real("alpha", 1e-4) /
                                                                  static_cast<double>(size) * sum,
                                  call.node.real("beta", 0.75));
    });
    return {y};
}

// A number for the row along `axis` that an index is in.
std::function<int64_t(const Shape &)> rows_along(const Value &x, size_t axis) {
    return [&x, axis](const Shape &at) {
        int64_t row = 0;
        for (size_t i = 0; i < at.size(); i++) {
            row = i == axis ? row : row * x.shape[i] + at[i];
        }
        return row;
    };
}

std::vector<Value> reference_lp(const Call &call) {
    const Value &x = call[0];
    const auto axis = static_cast<size_t>(axis_from_start(call.integer("axis", -1), x.rank()));
    Value y = x;
    for_each_set(x, rows_along(x, axis), [&](const std::vector<size_t> &set) {
        double sum = 0;
        for (const size_t i : set) {
            sum += call.integer("p", 2) == 1 ? std::abs(x.at[i]) : x.at[i] * x.at[i];
        }
        const double norm = call.integer("p", 2) == 1 ? sum : std::sqrt(sum);
        for (const size_t i : set) {
            y.at[i] = norm == 0 ? 0 : x.at[i] / norm;
        }
    });
    return {y};
}

std::vector<Value> reference_softmax(const Call &call) {
    const Value &x = call[0];
    const std::string &op = call.node.operator_type;
    const auto axis = static_cast<size_t>(axis_from_start(call.integer("axis", -1), x.rank()));
    Value y = x;
    for_each_set(x, rows_along(x, axis), [&](const std::vector<size_t> &set) {
        double sum = 0;
        size_t largest = set.front();
        for (const size_t i : set) {
            sum += std::exp(x.at[i]);
            largest = x.at[i] > x.at[largest] ? i : largest;
        }
        for (const size_t i : set) {
            y.at[i] = op == "Softmax"      ? std::exp(x.at[i]) / sum
                      : op == "LogSoftmax" ? x.at[i] - std::log(sum)
                                           : (i == largest ? 1.0 : 0.0);
        }
    });
    return {y};
}

void make_norms(GraphMaker &maker) {
    Draw &draw = maker.draw;
    const auto op = draw.of<std::string>(
        {"Softmax", "Softmax", "LogSoftmax", "Hardmax", "BatchNormalization", "BatchNormalization",
         "InstanceNormalization", "GroupNormalization", "LayerNormalization", "LayerNormalization",
         "RMSNormalization", "LRN", "LpNormalization"});
    maker.option(op);
    const bool by_channel = op == "BatchNormalization" || op == "InstanceNormalization" ||
                            op == "GroupNormalization" || op == "LRN";
    const TensorId x = maker.pick_real(by_channel ? (op == "LRN" ? 4 : 3) : 1, op == "LRN" ? 4 : 5);
    const Shape in = maker.shape(x);
    if (by_channel) {
        const int64_t channels = in[1];
        std::vector<TensorId> inputs{x};
        std::map<std::string, Attribute> attributes;
        if (op == "LRN") {
            attributes = {{"size", draw.integer(1, 5)}, {"alpha", 0.5}};
        } else {
            inputs.push_back(maker.weights({channels}));
            inputs.push_back(maker.weights({channels}));
        }
        if (op == "BatchNormalization") {
            inputs.push_back(maker.weights({channels}));
            Value variance(maker.real_type(), {channels});
            for (double &v : variance.at) {
                v = static_cast<double>(draw.integer(2, 12)) / 8;
            }
            inputs.push_back(maker.constant(variance));
        }
        if (op == "GroupNormalization") {
            int64_t groups = 1;
            for (int64_t g = 1; g <= channels; g++) {
                groups = channels % g == 0 && draw.flip() ? g : groups;
            }
            attributes["num_groups"] = groups;
        }
        maker.node(op, inputs, attributes);
        return;
    }
    const auto axis = static_cast<size_t>(draw.flip() ? in.size() - 1
                                                      : static_cast<size_t>(draw.below(in.size())));
    maker.option(axis + 1 == in.size() ? "last axis" : "another axis");
    const int64_t given = draw.flip()
                              ? static_cast<int64_t>(axis)
                              : static_cast<int64_t>(axis) - static_cast<int64_t>(in.size());
    if (op == "LayerNormalization" || op == "RMSNormalization") {
        std::vector<TensorId> inputs{
            x, maker.weights({in.begin() + static_cast<int64_t>(axis), in.end()})};
        if (op == "LayerNormalization" && draw.flip()) {
            inputs.push_back(maker.weights({in.begin() + static_cast<int64_t>(axis), in.end()}));
        }
        maker.node(op, inputs, {{"axis", given}});
        return;
    }
    std::map<std::string, Attribute> attributes = {{"axis", given}};
    if (op == "LpNormalization") {
        attributes["p"] = draw.integer(1, 2);
    }
    maker.node(op, {x}, attributes);
}

}  // namespace

const GraphKind &graph_kind_norms() {
    static const GraphKind kind = {
        .name = "Softmax, norms",
        .weight = 5,
        .options = {"Softmax", "LogSoftmax", "Hardmax", "BatchNormalization",
                    "InstanceNormalization", "GroupNormalization", "LayerNormalization",
                    "RMSNormalization", "LRN", "LpNormalization", "last axis", "another axis"},
        .make = make_norms,
        .operators = {{"BatchNormalization", reference_batch},
                      {"InstanceNormalization", reference_instance_or_group},
                      {"GroupNormalization", reference_instance_or_group},
                      {"LayerNormalization", reference_layer},
                      {"RMSNormalization", reference_layer},
                      {"LRN", reference_lrn},
                      {"LpNormalization", reference_lp},
                      {"Softmax", reference_softmax},
                      {"LogSoftmax", reference_softmax},
                      {"Hardmax", reference_softmax}},
    };
    return kind;
}

}  // namespace emulsion
