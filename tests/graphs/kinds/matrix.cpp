#include <cmath>

#include "tests/graphs/graph_maker.h"

namespace emulsion {

using namespace test;

namespace {

std::vector<Value> reference_matmul(const Call &call) {
    Value a = call[0], b = call[1];
    const bool rows = a.rank() > 1, columns = b.rank() > 1;
    if (!rows) {
        a.shape.insert(a.shape.begin(), 1);
    }
    if (!columns) {
        b.shape.push_back(1);
    }
    const int64_t depth = a.shape.back();
    Shape shape = broadcast_shapes({a.shape.begin(), a.shape.end() - 2},
                                   {b.shape.begin(), b.shape.end() - 2});
    shape.push_back(a.shape[a.rank() - 2]);
    shape.push_back(b.shape.back());
    Value y(a.type, shape);
    for_each_index(shape, [&](const Shape &at, size_t flat) {
        Shape left = at, right = at;
        double sum = 0;
        for (int64_t k = 0; k < depth; k++) {
            left.back() = k;
            right[right.size() - 2] = k;
            sum += broadcast_at(a, left) * broadcast_at(b, right);
        }
        y.at[flat] = sum;
    });
    if (!columns) {
        y.shape.pop_back();
    }
    if (!rows) {
        y.shape.erase(y.shape.end() - (columns ? 2 : 1));
    }
    return {y};
}

std::vector<Value> reference_gemm(const Call &call) {
    const bool left = call.integer("transA", 0) != 0, right = call.integer("transB", 0) != 0;
    const Value &a = call[0], &b = call[1];
    const double alpha = call.node.real("alpha", 1), beta = call.node.real("beta", 1);
    Value y(a.type, {a.shape[left ? 1 : 0], b.shape[right ? 0 : 1]});
    const int64_t depth = a.shape[left ? 0 : 1];
    for_each_index(y.shape, [&](const Shape &at, size_t flat) {
        double sum = 0;
        for (int64_t k = 0; k < depth; k++) {
            sum += a(left ? Shape{k, at[0]} : Shape{at[0], k}) *
                   b(right ? Shape{at[1], k} : Shape{k, at[1]});
        }
        y.at[flat] = alpha * sum + (call.has(2) ? beta * broadcast_at(call[2], at) : 0.0);
    });
    return {y};
}

void gemm(GraphMaker &maker) {
    Draw &draw = maker.draw;
    const TensorId a = maker.pick_real(2, 2);
    const bool left = draw.one_in(3), right = draw.flip();
    const int64_t rows = maker.shape(a)[left ? 1 : 0], depth = maker.shape(a)[left ? 0 : 1];
    const int64_t columns = maker.channels();
    std::map<std::string, Attribute> attributes = {{"transA", int64_t{left}},
                                                   {"transB", int64_t{right}}};
    maker.option("Gemm");
    if (left) {
        maker.option("transA");
    }
    if (right) {
        maker.option("transB");
    }
    const double scale = 1.5 / std::sqrt(static_cast<double>(depth));
    std::vector<TensorId> inputs{
        a, maker.weights(right ? Shape{columns, depth} : Shape{depth, columns}, scale)};
    if (draw.one_in(4)) {
        attributes["alpha"] = 0.5;
        attributes["beta"] = 0.75;
        maker.option("alpha, beta");
    }
    switch (draw.integer(0, 4)) {
    case 0: break;
    case 1: inputs.push_back(maker.weights({columns})); break;
    case 2: inputs.push_back(maker.weights({rows, 1})); break;
    case 3: inputs.push_back(maker.weights({})); break;
    default: inputs.push_back(maker.weights({rows, columns})); break;
    }
    if (inputs.size() > 2) {
        maker.option("C");
    }
    maker.node("Gemm", inputs, attributes);
}

void make_matrix(GraphMaker &maker) {
    Draw &draw = maker.draw;
    if (draw.one_in(3)) {
        gemm(maker);
        return;
    }
    const TensorId a = maker.pick_real(1, 5);
    const Shape in = maker.shape(a);
    const int64_t depth = in.back();
    const double scale = 1.5 / std::sqrt(static_cast<double>(depth));
    maker.option("MatMul");
    if (in.size() == 1) {
        maker.option("a vector");
    }
    if (draw.flip()) {
        const TensorId b = maker.pick([&](const Value &v) {
            if (v.type != maker.real_type() || v.rank() == 0 ||
                v.shape[v.rank() == 1 ? 0 : v.rank() - 2] != depth) {
                return false;
            }
            for (size_t i = 3; i <= std::min(v.rank(), in.size()); i++) {
                const int64_t x = v.shape[v.rank() - i], y = in[in.size() - i];
                if (x != y && x != 1 && y != 1) {
                    return false;
                }
            }
            return element_count(in) / depth * v.shape.back() < 6000;
        });
        maker.option("two values");
        maker.node("MatMul", {a, b});
        return;
    }
    Shape right{depth, maker.channels()};
    if (draw.one_in(6)) {
        right.pop_back();
        maker.option("a vector");
    } else if (in.size() > 2 && draw.flip()) {
        for (size_t i = in.size() - 2; i-- > 0;) {
            right.insert(right.begin(), draw.flip() ? in[i] : 1);
        }
        maker.option("a batch on the right");
    }
    maker.node("MatMul", {a, maker.weights(right, scale)});
}

}  // namespace

const GraphKind &graph_kind_matrix() {
    static const GraphKind kind = {
        .name = "MatMul, Gemm",
        .weight = 5,
        .options = {"MatMul", "a vector", "two values", "a batch on the right", "Gemm", "transA",
                    "transB", "alpha, beta", "C"},
        .make = make_matrix,
        .operators = {{"MatMul", reference_matmul}, {"Gemm", reference_gemm}},
    };
    return kind;
}

}  // namespace emulsion
