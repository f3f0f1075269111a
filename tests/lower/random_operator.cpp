#include "tests/lower/random_operator.h"

#include <algorithm>
#include <numeric>

#include "fusion/layout.h"
#include "tests/lower/network_maker.h"

namespace emulsion::test {

namespace {

constexpr uint64_t kKinds = 19;  // a prime, so that every target and type gets every kind

// Of the kinds that integers are for as well.
bool takes_integers(uint64_t kind) { return kind >= 12; }

DataType type_of(uint64_t seed) {
    const uint64_t draw = seed / kKinds % 4;  // another one each time that a kind's turn comes
    return draw == 1                                    ? DataType::F64
           : draw == 2 && takes_integers(seed % kKinds) ? DataType::I32
                                                        : DataType::F32;
}

class OperatorMaker {
public:
    explicit OperatorMaker(uint64_t seed) : type_(type_of(seed)), m_(seed, type_), engine_(seed) {}

    Graph make(uint64_t kind) { return m_.finish({epilogue(result(kind))}); }

private:
    TensorId result(uint64_t kind) {
        switch (kind) {
        case 0:
        case 1: return convolution();
        case 2: return grouped_convolution();
        case 3: return depthwise_convolution();
        case 4: return pool();
        case 5: return m_.mean(image(), {2, 3}, flip());
        case 6: return m_.softmax(rows(), 1);
        case 7: return m_.layer_norm(rows());
        case 8: return m_.mean(rows(), {1}, flip());
        case 9: return m_.softmax(image(), 1);
        case 10: return rows_of_rows();
        case 11: return m_.softmax(product(rows()), 1);
        case 12: return product(rows());
        case 13: return product(stack());
        case 14: return sum();
        case 15: return scan();
        case 16: return total();
        case 17: return scatter();
        default: return scaled(image());
        }
    }

    int64_t size(int64_t least, int64_t most) {
        return std::uniform_int_distribution<int64_t>(least, most)(engine_);
    }
    bool flip() { return engine_() % 2 == 0; }

    // Now and then with its axes in another order in memory.
    TensorId tensor(const Shape &shape) {
        if (engine_() % 4 != 0) {
            return m_.input(shape);
        }
        std::vector<int64_t> perm(shape.size());
        std::iota(perm.begin(), perm.end(), 0);
        std::shuffle(perm.begin(), perm.end(), engine_);
        Shape before(shape.size());
        for (size_t i = 0; i < perm.size(); i++) {
            before[static_cast<size_t>(perm[i])] = shape[i];
        }
        return m_.transpose(m_.input(before), perm);
    }

    TensorId image_of(int64_t channels) {
        return tensor({size(1, 2), channels, size(3, 17), size(3, 17)});
    }
    TensorId image() { return image_of(size(1, 40)); }
    TensorId rows() { return tensor({size(1, 40), size(2, 130)}); }
    TensorId stack() { return tensor({size(1, 3), size(1, 20), size(1, 40)}); }

    TensorId product(TensorId x) {
        return m_.mat_mul(x, m_.constant({m_.shape(x).back(), size(1, 90)}));
    }
    // Both operands of the product lie along what is summed.
    TensorId rows_of_rows() {
        const TensorId x = rows();
        const int64_t columns = size(1, 90);
        const TensorId weights = m_.constant({columns, m_.shape(x).back()});
        return m_.gemm(x, weights, flip() ? m_.constant({columns}) : kNoTensor, true);
    }
    TensorId scaled(TensorId x) {
        const TensorId factors = m_.constant({1, m_.shape(x)[1], 1, 1});
        return m_.binary(flip() ? "Add" : "Mul", x, factors);
    }

    // A window over `x`, dilated as far as it fits.
    TensorId windows(TensorId x, int64_t channels, int64_t group, int64_t kernel) {
        const int64_t padding = size(0, kernel / 2);
        const int64_t pixels = std::min(m_.shape(x)[2], m_.shape(x)[3]) + 2 * padding;
        const int64_t dilations = kernel == 1 ? 1 : (pixels - 1) / (kernel - 1);
        return m_.conv(x, {.channels = channels,
                           .kernel = kernel,
                           .stride = size(1, 2),
                           .dilation = flip() ? 1 : size(1, std::min<int64_t>(dilations, 3)),
                           .padding = padding,
                           .group = group,
                           .bias = flip()});
    }
    TensorId convolution() {
        const TensorId x = image();
        const int64_t channels = size(1, 70);
        return windows(x, channels, 1, size(1, 3));
    }
    TensorId grouped_convolution() {
        const int64_t group = size(2, 6);
        const TensorId x = image_of(group * size(2, 8));
        const int64_t channels = group * size(1, 12);
        return windows(x, channels, group, size(1, 3));
    }
    // Now and then of several channels for each one read.
    TensorId depthwise_convolution() {
        const TensorId x = image();
        const int64_t channels = m_.shape(x)[1];
        const int64_t results = channels * (flip() ? 1 : size(1, 3));
        return windows(x, results, channels, size(2, 3));
    }
    TensorId pool() {
        const char *type = flip() ? "MaxPool" : "AveragePool";
        const TensorId x = image();
        const int64_t kernel = size(2, 3), stride = size(1, 2);
        return m_.pool(type, x, kernel, stride, size(0, 1));
    }

    // Over any axes but all.
    TensorId sum() {
        const TensorId x = flip() ? image() : stack();
        std::vector<int64_t> axes;
        for (size_t axis = 0; axis < m_.shape(x).size(); axis++) {
            if (flip() && axes.size() + 1 < m_.shape(x).size()) {
                axes.push_back(static_cast<int64_t>(axis));
            }
        }
        if (axes.empty()) {
            axes.push_back(1);  // channels
        }
        const char *type = flip() ? "ReduceSum" : "ReduceMax";
        return m_.reduce(type, x, axes, flip());
    }
    TensorId scan() {
        const TensorId x = flip() ? rows() : stack();
        const auto rank = static_cast<int64_t>(m_.shape(x).size());
        const int64_t axis = size(0, rank - 1);
        const bool exclusive = flip();
        return m_.cum_sum(x, axis, exclusive, flip());
    }

    // Over all axes, which are no longer there.
    TensorId total() {
        const TensorId x = flip() ? image() : rows();
        std::vector<int64_t> axes(m_.shape(x).size());
        std::iota(axes.begin(), axes.end(), 0);
        return m_.reduce(flip() ? "ReduceSum" : "ReduceMax", x, axes, false);
    }
    // Of rows to others, or of single elements along an axis.
    TensorId scatter() {
        const TensorId x = rows();
        const Shape shape = m_.shape(x);
        const std::string reduction = flip() ? "add" : "max";
        const int64_t updates = size(1, 30);
        if (flip()) {
            return m_.node("ScatterND",
                           {x, places(shape[0], {updates, 1}), m_.input({updates, shape[1]})},
                           shape, {{"reduction", reduction}});
        }
        const int64_t axis = size(0, 1);
        Shape changed{size(1, shape[0]), size(1, shape[1])};
        changed[static_cast<size_t>(axis)] = updates;
        return m_.node("ScatterElements",
                       {x, places(shape[static_cast<size_t>(axis)], changed), m_.input(changed)},
                       shape, {{"axis", axis}, {"reduction", reduction}});
    }
    TensorId places(int64_t extent, const Shape &shape) {
        std::vector<int64_t> values(static_cast<size_t>(element_count(shape)));
        for (int64_t &value : values) {
            value = size(-extent, extent - 1);
        }
        return m_.integers(values, shape);
    }

    // Nothing, a unary, or a broadcast constant and a unary.
    TensorId epilogue(TensorId x) {
        const uint64_t draw = engine_() % 3;
        if (draw == 0) {
            return x;
        }
        if (draw == 2 && !m_.shape(x).empty()) {
            x = m_.binary("Add", x, m_.constant({m_.shape(x).back()}));
        }
        return m_.unary(is_float(type_) && flip() ? "Relu" : "Abs", x);
    }

    DataType type_;
    NetworkMaker m_;
    std::mt19937_64 engine_;
};

}  // namespace

Graph random_operator(uint64_t seed) { return OperatorMaker(seed).make(seed % kKinds); }

TensorValues operator_inputs(const Graph &graph, uint64_t seed) {
    TensorValues values = random_inputs(graph, seed);
    for (const TensorId id : graph.inputs) {
        for (double &v : values[static_cast<size_t>(id)]) {
            v = exact(v, graph.tensor(id).type);
        }
    }
    return values;
}

}  // namespace emulsion::test
