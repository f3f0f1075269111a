// A convolution's weights w (o, c, 3, 3), transformed (support/winograd.h): U(place, c, o) is place (i, j) of G g G',
// where g = w(o, c). They are constants, so this is done when the model is compiled, in double precision.
#include <algorithm>
#include <cstring>
#include <vector>

#include "frontend/ops/support/checks.h"
#include "frontend/ops/support/winograd.h"

namespace emulsion {

namespace {

// Channels of either kind that are transformed at a time: a block lies in the second cache, and its rows of one place
// are whole cache lines of the result.
constexpr size_t kBlock = 16;

using Rows = std::vector<std::array<double, kWinogradTaps>>;

void check_winograd_weights(const OperatorContext &context) {
    require_type(context, 0, kFloatTypes);
    require_rank(context, 0, 4);
    const std::vector<int64_t> w = context.input_shape(0);
    if (w[2] != kWinogradTaps || w[3] != kWinogradTaps) {
        refuse(context, "they are not the weights of a 3 x 3 window");
    }
    require_output(context, {winograd_tile(context).places(), w[1], w[0]});
}

// Place (i, j) of G g G'.
template<typename T>
double transformed(const Rows &g, size_t i, size_t j, const T *taps) {
    double sum = 0.0;
    for (size_t k = 0; k < kWinogradTaps; k++) {
        double row = 0.0;
        for (size_t l = 0; l < kWinogradTaps; l++) {
            row += g[j].at(l) * static_cast<double>(taps[k * kWinogradTaps + l]);
        }
        sum += g[i].at(k) * row;
    }
    return sum;
}

template<typename T>
class Transform {
public:
    Transform(const OperatorContext &context, const Rows &g)
        : g_(g), in_(static_cast<size_t>(context.input_shape(0)[1])),
          out_(static_cast<size_t>(context.input_shape(0)[0])),
          weights_(context.input(0).constant->template as<T>()),
          block_(places() * kBlock * kBlock) {}

    std::vector<std::byte> run() {
        std::vector<std::byte> bytes(places() * in_ * out_ * sizeof(T));
        T *const result = reinterpret_cast<T *>(bytes.data());
        for (size_t c = 0; c < in_; c += kBlock) {
            for (size_t o = 0; o < out_; o += kBlock) {
                transform_block(c, o, result);
            }
        }
        return bytes;
    }

private:
    size_t places() const { return g_.size() * g_.size(); }

    // The block at input channel `c` and output channel `o`: (place, c, o).
    void transform_block(size_t c, size_t o, T *result) {
        const size_t rows = std::min(kBlock, in_ - c), columns = std::min(kBlock, out_ - o);
        for (size_t k = 0; k < columns; k++) {
            for (size_t i = 0; i < rows; i++) {
                const T *taps = weights_ + ((o + k) * in_ + c + i) * kWinogradTaps * kWinogradTaps;
                for (size_t place = 0; place < places(); place++) {
                    block_[(place * kBlock + i) * kBlock + k] =
                        static_cast<T>(transformed(g_, place / g_.size(), place % g_.size(), taps));
                }
            }
        }
        for (size_t place = 0; place < places(); place++) {
            for (size_t i = 0; i < rows; i++) {
                std::memcpy(result + (place * in_ + c + i) * out_ + o,
                            &block_[(place * kBlock + i) * kBlock], columns * sizeof(T));
            }
        }
    }

    const Rows &g_;
    size_t in_, out_;  // channels
    const T *weights_;
    std::vector<T> block_;
};

std::vector<std::byte> compute_winograd_weights(const OperatorContext &context) {
    const Rows g = winograd_tile(context).weight_rows();
    return context.input(0).type == DataType::F64 ? Transform<double>(context, g).run()
                                                  : Transform<float>(context, g).run();
}

}  // namespace

const Operator &onnx_winograd_weights() {
    static const Operator winograd_weights = {
        .type = "WinogradWeights",
        .domain = kOwnDomain,
        .check = check_winograd_weights,
        .compute = compute_winograd_weights,
    };
    return winograd_weights;
}

}  // namespace emulsion
