#include "tests/lower/random_network.h"

#include <algorithm>
#include <cmath>
#include <string>

#include "fusion/layout.h"
#include "tests/lower/network_maker.h"

namespace emulsion::test {

namespace {

constexpr int64_t kMostElements = 40000;  // of a value
constexpr int64_t kMostProducts = 20'000'000;

class Maker {
public:
    explicit Maker(uint64_t seed)
        : engine_(seed), maker_(seed, integer(0, 7) == 0 ? DataType::F64 : DataType::F32) {}

    Graph make() {
        if (integer(0, 2) != 0) {
            image();
        } else {
            add(maker_.input(any_shape(static_cast<int>(integer(0, 5)))));
        }
        if (flip()) {
            add(maker_.input(maker_.shape(values_.front())));
        }
        const int64_t steps = integer(1, 5);
        for (int attempts = 0, made = 0; made < steps && attempts < 50; attempts++) {
            made += step() ? 1 : 0;
        }
        if (made_.empty()) {
            accept(maker_.unary("Relu", values_.front()));
        }
        std::vector<TensorId> also;
        if (integer(0, 3) == 0) {
            also.push_back(made_[pick(made_.size())]);
        }
        return maker_.finish_all(also);
    }

private:
    int64_t integer(int64_t low, int64_t high) {
        return std::uniform_int_distribution<int64_t>(low, high)(engine_);
    }
    bool flip() { return integer(0, 1) == 1; }
    size_t pick(size_t count) {
        return static_cast<size_t>(integer(0, static_cast<int64_t>(count) - 1));
    }
    int64_t one_of(std::initializer_list<int64_t> from) { return from.begin()[pick(from.size())]; }
    int64_t channels() { return one_of({1, 2, 3, 4, 5, 7, 8, 12, 16, 17, 24, 32, 33, 40, 65}); }
    int64_t odd_extent() { return one_of({1, 1, 2, 3, 4, 5, 7, 8, 13, 16, 17, 33}); }

    Shape any_shape(int rank) {
        Shape shape;
        for (int i = 0; i < rank; i++) {
            shape.push_back(odd_extent());
        }
        while (element_count(shape) > kMostElements / 4) {
            int64_t &extent = shape[pick(shape.size())];
            extent = (extent + 1) / 2;
        }
        return shape;
    }

    void image() {
        add(maker_.input({one_of({1, 1, 1, 2, 3}), channels(), one_of({1, 2, 3, 5, 7, 9, 14}),
                          one_of({1, 2, 3, 5, 7, 8, 14})}));
    }

    void add(TensorId id) { values_.push_back(id); }

    // A value, the last ones more often than others.
    TensorId value() { return integer(0, 2) != 0 ? values_.back() : values_[pick(values_.size())]; }

    bool accept(TensorId id) {
        values_.push_back(id);
        made_.push_back(id);
        return true;
    }

    bool step() {
        const TensorId x = value();
        const Shape &shape = maker_.shape(x);
        const int64_t kind = integer(0, 11);
        const bool is_image = shape.size() == 4;
        switch (kind) {
        case 0:
        case 1:
        case 2: return is_image && conv(x);
        case 3: return is_image && pool(x);
        case 4:
        case 5: return element_wise(x);
        case 6: return broadcast(x);
        case 7: return join(x);
        case 8: return matrix(x);
        case 9: return !shape.empty() && accept(maker_.softmax(x, axis_of(shape)));
        case 10: return !shape.empty() && mean(x);
        default: return move(x);
        }
    }

    int64_t axis_of(const Shape &shape) { return static_cast<int64_t>(pick(shape.size())); }

    bool conv(TensorId x) {
        const Shape in = maker_.shape(x);
        ConvShape c;
        c.kernel = one_of({1, 1, 2, 3, 3, 4, 5});
        c.stride = one_of({1, 1, 2, 3});
        c.dilation = one_of({1, 1, 1, 2});
        c.padding = integer(0, c.kernel / 2);
        c.bias = flip();
        std::vector<int64_t> divisors;
        for (int64_t d = 1; d <= in[1]; d++) {
            if (in[1] % d == 0) {
                divisors.push_back(d);
            }
        }
        c.group = flip() ? 1 : divisors[pick(divisors.size())];
        c.channels = c.group == 1 ? channels() : c.group * one_of({1, 1, 2, 3, 5, 8});
        const int64_t reach = c.dilation * (c.kernel - 1) + 1 - 2 * c.padding;
        const int64_t products = in[0] * c.channels * in[2] * in[3] * in[1] / c.group * c.kernel *
                                 c.kernel / c.stride / c.stride;
        if (reach > in[2] || reach > in[3] || products > kMostProducts ||
            in[0] * c.channels * in[2] * in[3] > kMostElements) {
            return false;
        }
        return accept(maker_.conv(x, c));
    }

    bool pool(TensorId x) {
        const Shape in = maker_.shape(x);
        const int64_t kernel = one_of({1, 2, 2, 3, 3, 5}), padding = integer(0, kernel / 2);
        if (kernel - 2 * padding > std::min(in[2], in[3])) {
            return integer(0, 1) == 0 && accept(maker_.global_average_pool(x));
        }
        return accept(maker_.pool(flip() ? "MaxPool" : "AveragePool", x, kernel, one_of({1, 2, 3}),
                                  std::min(padding, kernel - 1)));
    }

    bool element_wise(TensorId x) {
        switch (integer(0, 2)) {
        case 0: return accept(maker_.unary("Relu", x));
        case 1: return accept(maker_.clip(x, -0.5, 0.75));
        default: return accept(maker_.unary("Identity", x));
        }
    }

    std::string binary_type() { return flip() ? "Add" : "Mul"; }

    // With a constant, or with a smaller value, that is broadcast.
    bool broadcast(TensorId x) {
        Shape small = maker_.shape(x);
        for (int64_t &e : small) {
            e = flip() ? 1 : e;
        }
        const size_t drop = small.empty() ? 0 : pick(small.size() + 1);
        if (flip()) {
            small.erase(small.begin(), small.begin() + static_cast<int64_t>(drop));
        }
        const TensorId other = integer(0, 3) == 0 ? maker_.input(small) : maker_.constant(small);
        const std::string type = binary_type();
        return accept(flip() ? maker_.binary(type, x, other) : maker_.binary(type, other, x));
    }

    // With another value of the same shape.
    bool join(TensorId x) {
        for (int attempt = 0; attempt < 6; attempt++) {
            const TensorId other = values_[pick(values_.size())];
            if (maker_.shape(other) == maker_.shape(x)) {
                return accept(maker_.binary(binary_type(), x, other));
            }
        }
        return false;
    }

    bool matrix(TensorId x) {
        const Shape in = maker_.shape(x);
        if (in.empty()) {
            return false;
        }
        const int64_t columns = channels(), depth = in.back();
        if (element_count(in) / depth * columns > kMostElements) {
            return false;
        }
        const double scale = 1.5 / std::sqrt(static_cast<double>(depth));
        if (in.size() == 2 && flip()) {
            const bool transpose = flip();
            const TensorId b =
                maker_.constant(transpose ? Shape{columns, depth} : Shape{depth, columns}, scale);
            const int64_t kind = integer(0, 3);
            const TensorId c = kind == 0   ? kNoTensor
                               : kind == 1 ? maker_.constant({columns})
                               : kind == 2 ? maker_.constant({in[0], 1})
                                           : maker_.constant({in[0], columns});
            return accept(maker_.gemm(x, b, c, transpose));
        }
        Shape right{depth, columns};
        if (integer(0, 3) == 0) {
            right = {depth};
        } else if (in.size() > 2 && flip()) {
            for (size_t i = in.size() - 2; i-- > 0;) {
                right.insert(right.begin(), flip() ? in[i] : 1);
            }
        }
        const TensorId b = integer(0, 2) == 0 ? maker_.input(right) : maker_.constant(right, scale);
        return accept(maker_.mat_mul(x, b));
    }

    bool mean(TensorId x) {
        const Shape in = maker_.shape(x);
        std::vector<int64_t> axes;
        for (int64_t axis = 0; axis < static_cast<int64_t>(in.size()); axis++) {
            if (flip()) {
                axes.push_back(axis);
            }
        }
        if (axes.empty()) {
            axes.push_back(axis_of(in));
        }
        return accept(maker_.mean(x, axes, flip()));
    }

    // Reshape or Flatten.
    bool move(TensorId x) {
        const Shape in = maker_.shape(x);
        if (in.size() > 1 && flip()) {
            return accept(maker_.flatten(x));
        }
        Shape to = in;
        switch (integer(0, 3)) {
        case 0: to = {element_count(in)}; break;
        case 1: std::reverse(to.begin(), to.end()); break;
        case 2: to.insert(to.begin() + static_cast<int64_t>(pick(to.size() + 1)), 1); break;
        default: std::erase(to, 1); break;
        }
        return to.size() <= 5 && accept(maker_.reshape(x, to));
    }

    std::mt19937_64 engine_;
    NetworkMaker maker_;
    std::vector<TensorId> values_;  // that operators may read
    std::vector<TensorId> made_;    // by nodes
};

}  // namespace

Graph random_network(uint64_t seed) { return Maker(seed).make(); }

}  // namespace emulsion::test
