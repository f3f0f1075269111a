#include "tests/lower/network_maker.h"

#include <algorithm>
#include <cmath>
#include <cstring>

#include "fusion/layout.h"

namespace emulsion::test {

namespace {

int64_t windows(int64_t extent, int64_t kernel, int64_t stride, int64_t dilation, int64_t padding) {
    return (extent + 2 * padding - dilation * (kernel - 1) - 1) / stride + 1;
}

Shape broadcast_shape(Shape a, Shape b) {
    if (a.size() < b.size()) {
        std::swap(a, b);
    }
    for (size_t i = 0; i < b.size(); i++) {
        int64_t &extent = a[a.size() - b.size() + i];
        extent = std::max(extent, b[i]);
    }
    return a;
}

}  // namespace

double exact(double value, DataType type) {
    constexpr double kIntegerScale = 9.0;
    return is_float(type) ? static_cast<float>(value) : std::round(kIntegerScale * value);
}

std::vector<double> to_doubles(const ConstantData &data, DataType type) {
    std::vector<double> values;
    with_element_type(type, [&](auto element) {
        for (size_t at = 0; at < data.size; at += sizeof(element)) {
            std::memcpy(&element, data.bytes + at, sizeof(element));
            values.push_back(static_cast<double>(element));
        }
    });
    return values;
}

std::vector<std::byte> to_bytes(const std::vector<double> &values, DataType type) {
    std::vector<std::byte> bytes(values.size() * static_cast<size_t>(size_of(type)));
    with_element_type(type, [&](auto element) {
        for (size_t i = 0; i < values.size(); i++) {
            element = static_cast<decltype(element)>(values[i]);
            std::memcpy(bytes.data() + i * sizeof(element), &element, sizeof(element));
        }
    });
    return bytes;
}

TensorId NetworkMaker::add_tensor(const Shape &shape, DataType type) {
    Tensor tensor;
    tensor.name = "t" + std::to_string(graph_.tensors.size());
    tensor.type = type;
    tensor.shape.assign(shape.begin(), shape.end());
    shapes_.push_back(shape);
    return graph_.add_tensor(std::move(tensor));
}

TensorId NetworkMaker::input(const Shape &shape) {
    graph_.inputs.push_back(add_tensor(shape, type_));
    return graph_.inputs.back();
}

TensorId NetworkMaker::constant(const Shape &shape, double scale) {
    std::vector<double> values(static_cast<size_t>(element_count(shape)));
    std::uniform_real_distribution<double> distribution(-scale, scale);
    for (double &v : values) {
        v = exact(distribution(engine_), type_);
    }
    const TensorId id = add_tensor(shape, type_);
    graph_.tensor(id).constant = make_constant(to_bytes(values, type_));
    return id;
}

TensorId NetworkMaker::integers(const std::vector<int64_t> &values) {
    return integers(values, {static_cast<int64_t>(values.size())});
}

TensorId NetworkMaker::integers(const std::vector<int64_t> &values, const Shape &shape) {
    const TensorId id = add_tensor(shape, DataType::I64);
    graph_.tensor(id).constant =
        make_constant(to_bytes({values.begin(), values.end()}, DataType::I64));
    return id;
}

TensorId NetworkMaker::node(const std::string &type, const std::vector<TensorId> &inputs,
                            const Shape &result, std::map<std::string, Attribute> attributes) {
    Node node;
    node.index = static_cast<int>(graph_.nodes.size());
    node.name = type + "_" + std::to_string(node.index);
    node.operator_type = type;
    node.inputs = inputs;
    node.outputs = {add_tensor(result, type_)};
    node.attributes = std::move(attributes);
    graph_.nodes.push_back(std::move(node));
    return graph_.nodes.back().outputs.front();
}

TensorId NetworkMaker::conv(TensorId x, const ConvShape &c) {
    const Shape in = shape(x);
    const int64_t per_group = in[1] / c.group;
    const double fan_in = static_cast<double>(per_group * c.kernel * c.kernel);
    std::vector<TensorId> inputs{
        x, constant({c.channels, per_group, c.kernel, c.kernel}, 1.5 / std::sqrt(fan_in))};
    if (c.bias) {
        inputs.push_back(constant({c.channels}));
    }
    const Shape result{in[0], c.channels, windows(in[2], c.kernel, c.stride, c.dilation, c.padding),
                       windows(in[3], c.kernel, c.stride, c.dilation, c.padding)};
    return node("Conv", inputs, result,
                {{"strides", Shape{c.stride, c.stride}},
                 {"dilations", Shape{c.dilation, c.dilation}},
                 {"pads", Shape(4, c.padding)},
                 {"group", c.group}});
}

TensorId NetworkMaker::pool(const std::string &type, TensorId x, int64_t kernel, int64_t stride,
                            int64_t padding) {
    const Shape in = shape(x);
    return node(type, {x},
                {in[0], in[1], windows(in[2], kernel, stride, 1, padding),
                 windows(in[3], kernel, stride, 1, padding)},
                {{"kernel_shape", Shape{kernel, kernel}},
                 {"strides", Shape{stride, stride}},
                 {"pads", Shape(4, padding)}});
}

TensorId NetworkMaker::unary(const std::string &type, TensorId x) {
    return node(type, {x}, shape(x));
}

TensorId NetworkMaker::clip(TensorId x, double low, double high) {
    TensorId limits[2];
    for (int i = 0; i < 2; i++) {
        limits[i] = add_tensor({}, type_);
        graph_.tensor(limits[i]).constant = make_constant(to_bytes({i == 0 ? low : high}, type_));
    }
    return node("Clip", {x, limits[0], limits[1]}, shape(x));
}

TensorId NetworkMaker::binary(const std::string &type, TensorId a, TensorId b) {
    return node(type, {a, b}, broadcast_shape(shape(a), shape(b)));
}

TensorId NetworkMaker::softmax(TensorId x, int64_t axis) {
    return node("Softmax", {x}, shape(x), {{"axis", axis}});
}

TensorId NetworkMaker::reduce(const std::string &type, TensorId x, const std::vector<int64_t> &axes,
                              bool keep) {
    Shape result;
    const Shape in = shape(x);
    for (int64_t axis = 0; axis < static_cast<int64_t>(in.size()); axis++) {
        if (std::find(axes.begin(), axes.end(), axis) == axes.end()) {
            result.push_back(in[static_cast<size_t>(axis)]);
        } else if (keep) {
            result.push_back(1);
        }
    }
    return node(type, {x, integers(axes)}, result, {{"keepdims", int64_t{keep ? 1 : 0}}});
}

TensorId NetworkMaker::mean(TensorId x, const std::vector<int64_t> &axes, bool keep) {
    return reduce("ReduceMean", x, axes, keep);
}

TensorId NetworkMaker::layer_norm(TensorId x) {
    const Shape result = shape(x), row{result.back()};
    return node("LayerNormalization", {x, constant(row), constant(row)}, result,
                {{"axis", int64_t{-1}}});
}

TensorId NetworkMaker::cum_sum(TensorId x, int64_t axis, bool exclusive, bool reverse) {
    const Shape result = shape(x);
    return node("CumSum", {x, integers({axis}, {})}, result,
                {{"exclusive", int64_t{exclusive ? 1 : 0}}, {"reverse", int64_t{reverse ? 1 : 0}}});
}

TensorId NetworkMaker::transpose(TensorId x, const std::vector<int64_t> &perm) {
    Shape result;
    for (const int64_t axis : perm) {
        result.push_back(shape(x)[static_cast<size_t>(axis)]);
    }
    return node("Transpose", {x}, result, {{"perm", perm}});
}

TensorId NetworkMaker::global_average_pool(TensorId x) {
    return node("GlobalAveragePool", {x}, {shape(x)[0], shape(x)[1], 1, 1});
}

TensorId NetworkMaker::reshape(TensorId x, const Shape &to) {
    return node("Reshape", {x, integers(to)}, to);
}

TensorId NetworkMaker::flatten(TensorId x) {
    const Shape in = shape(x);
    return node("Flatten", {x}, {in[0], element_count(in) / in[0]}, {{"axis", int64_t{1}}});
}

TensorId NetworkMaker::mat_mul(TensorId a, TensorId b) {
    Shape left = shape(a), right = shape(b), result;
    const bool rows = left.size() > 1, columns = right.size() > 1;
    if (!rows) {
        left.insert(left.begin(), 1);
    }
    if (!columns) {
        right.push_back(1);
    }
    result = broadcast_shape({left.begin(), left.end() - 2}, {right.begin(), right.end() - 2});
    if (rows) {
        result.push_back(left[left.size() - 2]);
    }
    if (columns) {
        result.push_back(right.back());
    }
    return node("MatMul", {a, b}, result);
}

TensorId NetworkMaker::gemm(TensorId a, TensorId b, TensorId c, bool transpose_b) {
    std::vector<TensorId> inputs{a, b};
    if (c != kNoTensor) {
        inputs.push_back(c);
    }
    return node("Gemm", inputs, {shape(a)[0], shape(b)[transpose_b ? 0 : 1]},
                {{"transB", int64_t{transpose_b ? 1 : 0}}});
}

Graph NetworkMaker::finish(const std::vector<TensorId> &outputs) {
    graph_.outputs = outputs;
    graph_.verify();
    return graph_;
}

Graph NetworkMaker::finish_all(const std::vector<TensorId> &also) {
    std::vector<TensorId> outputs = also;
    const auto consumers = graph_.consumers();
    for (const Node &n : graph_.nodes) {
        const TensorId id = n.result();
        if (consumers[static_cast<size_t>(id)].empty() &&
            std::find(outputs.begin(), outputs.end(), id) == outputs.end()) {
            outputs.push_back(id);
        }
    }
    return finish(outputs);
}

}  // namespace emulsion::test
